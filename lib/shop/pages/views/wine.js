import { html, useState } from '/shop/vendor/preact.js'
import { get, getPublic, ShopError } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { translateWine, wineName } from '../names.js'
import { Food } from '../parts/food.js'
import { Quantity } from '../parts/quantity.js'
import { Definitions, Heading, usePageData } from '../parts/states.js'
import { Added, Bottle, CardRow, Price, typeName, useAdding } from '../parts/wine.js'
import { largeHeights } from '../pictures.js'
import { writeQuery } from '../query.js'
import { pathOf } from '../router.js'

// Guests read the public route; the own prices of a signed-in client come from the shop's server.
const loadWine =
  ({ route, session, language }) =>
  async signal => {
    const { id } = route.params
    if (session.client) return (await get('wine', { id }, signal)).wine
    const read = async id => (await getPublic('/wines/getPublic', { id }, signal)).data
    const data = await read(id)
    // The service has wines of many merchants.
    if (data.customers_id !== session.merchant.id || !data.shop) throw new ShopError(404, { error: 'wine_not_found' })
    return translateWine(data, language, read)
  }

// The page appears when both are there: a buyer must see the facts before the order.
const load = shop => async signal => {
  const food = get('facts', { id: shop.route.params.id }, signal)
  // A failure of the wine is reported first.
  food.catch(() => {})
  return { wine: await loadWine(shop)(signal), food: await food }
}

const linkTo = chosen => pathOf('wines') + writeQuery({ chosen })

const Crumbs = ({ wine }) => {
  const shop = useShop()
  const { t } = shop
  return html`<nav class="crumbs" aria-label=${t.wine.crumbs}>
    <ol>
      <li><a href="/">${t.wine.home}</a></li>
      <li><a href=${pathOf('wines')}>${t.list.title}</a></li>
      <li><a href=${linkTo({ type: [wine.type] })}>${typeName(wine.type, shop)}</a></li>
    </ol>
  </nav>`
}

const Buy = ({ wine }) => {
  const { t } = useShop()
  const [quantity, setQuantity] = useState(1)
  const { add, isAdding, ...outcome } = useAdding(wine)
  if (wine.nostock === 1)
    return html`<div class="notice"><p><strong>${t.card.soldOut}</strong></p>
      ${wine.nostocktext && html`<p lang=${wine.language}>${wine.nostocktext}</p>`}</div>`
  return html`<form class="buy-form" onSubmit=${event => {
    event.preventDefault()
    add(quantity)
  }}>
    <${Quantity} value=${quantity} label=${t.wine.quantity} fewer=${t.wine.fewer} more=${t.wine.more} onChange=${setQuantity} />
    <button class="button" aria-disabled=${isAdding ? 'true' : undefined}>${isAdding ? t.card.adding : t.wine.add}</button>
    <${Added} ...${outcome} />
  </form>`
}

const factsOf = (wine, shop) => {
  const { t, format, labels } = shop
  const { facets } = t.list
  const { countrycode } = wine
  const region = labels.wineregions[countrycode]?.[wine.region]
  const grapes = wine.grapetypeIds.filter(id => labels.grapetypes[id])
  const to = (chosen, text) => text && html`<a href=${linkTo(chosen)}>${text}</a>`
  const features = [wine.cuvee && t.wine.cuvee, wine.bio && t.list.bio, wine.vegan && t.list.vegan].filter(Boolean)
  return [
    [facets.type, typeName(wine.type, shop)],
    [facets.vintage, wine.vintage ?? t.wine.noVintage],
    [facets.countrycode, to({ countrycode: [countrycode] }, labels.countries[countrycode])],
    [facets.region, to({ countrycode: [countrycode], region: [wine.region] }, region)],
    [t.wine.place, wine.place !== region && wine.place],
    [facets.winery_id, wine.winery && to({ winery_id: [wine.winery_id] }, wine.winery.name)],
    [
      t.wine.grapes,
      grapes.length > 0 &&
        grapes.map((id, n) => [n > 0 && ', ', to({ grapetypeIds: [id] }, labels.grapetypes[id].name)]),
    ],
    [facets.taste_id, wine.taste_id && labels.tastes[wine.taste_id]],
    [facets.quality, wine.quality && (labels.qualitytypes[countrycode]?.[wine.quality] ?? wine.quality)],
    [t.wine.sugar, wine.sweetness && t.wine.gramsPerLitre(format.number(wine.sweetness))],
    [t.wine.acid, wine.acid && t.wine.gramsPerLitre(format.number(wine.acid))],
    [t.wine.temperature, wine.drinktemperature && t.wine.degrees(wine.drinktemperature.replace('-', '–'))],
    [t.wine.terroir, wine.terroir],
    [t.wine.maturation, wine.maturation],
    [t.wine.bottling, wine.bottling_type && labels.bottlingtypes[wine.bottling_type]],
    [t.wine.cap, wine.cap && t.wine.caps[wine.cap]],
    [facets.features, features.join(', ')],
    [t.wine.article, wine.articlenumber],
  ]
}

const sulphites = 12

/** The information that German and European law require before a sale. */
const lawOf = (wine, operator, { t, format, labels, session }) => {
  const { merchant } = session
  const allergens = wine.allergenIds.filter(id => id !== sulphites).map(id => labels.allergens[id]?.name)
  const { winery } = wine
  const maker = winery && [
    winery.company ?? winery.name,
    winery.address,
    [winery.zip, winery.city].filter(Boolean).join(' '),
    labels.countries[winery.countrycode ?? wine.countrycode],
  ]
  return [
    [t.wine.alcohol, wine.alcohol && t.wine.volume(format.number(wine.alcohol))],
    [t.wine.content, t.wine.litres(format.number(wine.bottlesize))],
    [
      t.wine.allergens,
      [
        wine.allergenIds.includes(sulphites) && t.wine.sulphites,
        allergens.length > 0 && t.wine.contains(allergens.join(', ')),
      ]
        .filter(Boolean)
        .join('. '),
    ],
    [t.wine.producer, maker?.filter(Boolean).join(', ')],
    [
      t.wine.responsible,
      operator
        ? `${operator.name}, ${operator.address}`
        : `${merchant.company}, ${merchant.address}, ${merchant.zip} ${merchant.city}`,
    ],
  ]
}

const Facts = ({ id, title, facts }) => html`<section class="facts" aria-labelledby=${id}>
  <h2 id=${id}>${title}</h2>
  <${Definitions} rows=${facts} />
</section>`

// Price bands of the list, and their upper bound.
const cheap = { bands: ['0-10', '10-15'], below: 15 }

/** Other wines of the winery, and inexpensive wines of the grape, or else of the region. */
const rowsOf = (wine, { t, format, labels }) => {
  const { countrycode, region, winery, type } = wine
  const [grape] = wine.grapetypeIds.filter(id => labels.grapetypes[id])
  const regionName = labels.wineregions[countrycode]?.[region]
  const [name, alike] = grape
    ? [labels.grapetypes[grape].name, { grapetypeIds: [grape] }]
    : [regionName, { countrycode: [countrycode], region: [region] }]
  return [
    winery && { id: 'of-winery', title: t.wine.ofWinery(winery.name), chosen: { winery_id: [wine.winery_id] } },
    name && {
      id: 'similar',
      title: t.wine.similar(name, format.euros(cheap.below)),
      chosen: { type: [type], priceBand: cheap.bands, ...alike },
    },
  ].filter(Boolean)
}

const Onward = ({ wine }) => {
  const shop = useShop()
  const { t } = shop
  const rows = rowsOf(wine, shop)
  const load = signal => Promise.all(rows.map(({ chosen }) => get('few', { ...chosen, without: wine.id }, signal)))
  const { data, error } = useLoad(`onward ${wine.id}`, load)
  if (error) return null
  if (!data) return html`<section class="more"><${CardRow} /></section>`
  return rows.map(
    ({ id, title, chosen }, n) =>
      data[n].wines.length > 0 &&
      html`<section class="more" aria-labelledby=${id}>
        <div class="section-head">
          <h2 id=${id}>${title}</h2>
          <p><a class="arrow" href=${linkTo(chosen)}>${t.wine.all}<span class="visually-hidden">: ${title}</span></a></p>
        </div>
        <${CardRow} wines=${data[n].wines} />
      </section>`,
  )
}

const Wine = () => {
  const shop = useShop()
  const { t, language, labels, format, route, session } = shop
  const who = session.client ? 'client' : 'guest'
  const { data, error, instead } = usePageData(`wine ${who} ${language} ${route.params.id}`, load(shop))
  if (error?.status === 404 || error?.status === 400)
    return html`<${Heading} title=${t.notFound.title} /><p class="lead">${t.errors.words.wine_not_found}</p>
      <p><a class="arrow" href=${pathOf('wines')}>${t.start.browse}</a></p>`
  if (instead) return instead
  const { wine, food } = data
  const name = wineName(wine)
  const origin = [typeName(wine.type, shop), labels.countries[wine.countrycode], wine.place].filter(Boolean)
  return html`<${Crumbs} wine=${wine} />
    <div class="detail">
      <figure class="stage large">
        <${Bottle} image=${wine.image} height=${560} heights=${largeHeights} alt=${t.wine.picture(name)} eager />
        ${/\/drawn-/.test(wine.image ?? '') && html`<figcaption>${t.wine.drawn}</figcaption>`}
      </figure>
      <div class="detail-text">
        <p class="eyebrow">${origin.join(' · ')}</p>
        <${Heading} title=${name} />
        ${wine.winery && html`<p class="maker"><a href=${linkTo({ winery_id: [wine.winery_id] })}>${wine.winery.name}</a></p>`}
        ${wine.description && html`<p class="lead" lang=${wine.language}>${wine.description}</p>`}
        <div class="offer">
          <${Price} wine=${wine} link />
          <ul class="terms-list">
            <li>${t.wine.litres(format.number(wine.bottlesize))}${wine.alcohol && ` · ${t.wine.volume(format.number(wine.alcohol))}`}${
              wine.allergenIds.includes(sulphites) && ` · ${t.wine.sulphites}`
            }</li>
            <li>${t.wine.delivery}</li>
            ${wine.min_age && html`<li>${t.wine.age(wine.min_age)}</li>`}
          </ul>
          <${Food} food=${food} />
          <${Buy} wine=${wine} />
        </div>
        ${
          wine.expertisePdf &&
          html`<p><a class="sheet" href=${wine.expertisePdf} target="_blank" rel="noopener" type="application/pdf">
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 2h8l5 5v15H6zM14 2v5h5M9 13h6M9 17h6" /></svg>${t.wine.sheet}</a></p>`
        }
      </div>
    </div>
    <div class="columns">
      <${Facts} id="facts" title=${t.wine.facts} facts=${factsOf(wine, shop)} />
      <${Facts} id="law" title=${t.wine.law} facts=${lawOf(wine, food.operator, shop)} />
    </div>
    <${Onward} key=${wine.id} wine=${wine} />`
}

export const views = { wine: Wine }
