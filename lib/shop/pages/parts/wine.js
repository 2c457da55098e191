import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { itemsSentence } from '../errors.js'
import { wineLink, wineName } from '../names.js'
import { cardHeights, pictureIn, proportion, sourcesOf } from '../pictures.js'
import { pathOf } from '../router.js'

/** The name of a wine type, in the shop's own words if it has them. */
export const typeName = (type, { t, labels }) => t.types[type] ?? labels.winetypes[type] ?? type

const firstPauseMs = 2000
const mostTries = 4

/** Requests a picture again that was refused: many may have been drawn at the same time. */
const requestAgain = ({ currentTarget: picture }) => {
  const tries = Number(picture.dataset.tries ?? 0)
  if (tries === mostTries) return
  picture.dataset.tries = tries + 1
  setTimeout(() => picture.setAttribute('srcset', picture.srcset), firstPauseMs * 2 ** tries)
}

/** The picture of a bottle, `height` CSS pixels high, from files with `heights`; `sizes` is its width if it differs. */
export const Bottle = ({ image, height, heights = cardHeights, sizes, alt = '', eager = false }) => {
  if (!image) return null
  const width = Math.round(height * proportion)
  return html`<img class="bottle" srcset=${sourcesOf(image, heights)} sizes=${sizes ?? `${width}px`}
    src=${pictureIn(image, heights[0])} alt=${alt} width=${width} height=${height} onError=${requestAgain}
    loading=${eager ? 'eager' : 'lazy'} decoding="async" />`
}

/** The price of a litre, such as "17,20 €/l". */
export const perLitre = ({ amount }, { t, format }) => `${format.money(amount)}/${t.price.perLitre}`

/** A price as German law requires it: with tax, shipping and the price of a litre. */
export const Price = ({ wine, link = false }) => {
  const shop = useShop()
  const { t, format } = shop
  const { base_price: base } = wine
  return html`<div class="price">
    <p class="amounts">
      <strong class="amount">${format.money(wine.gross)}</strong>
      ${
        base &&
        html`<span class="base"><span class="visually-hidden">${t.price.perLitreLong(format.money(base.amount))}</span><span
          aria-hidden="true">${perLitre(base, shop)}</span></span>`
      }
    </p>
    <p class="terms">${t.price.tax(wine.taxrate)} ${
      link ? html`<a href=${pathOf('shipping')}>${t.price.plusShipping}</a>` : t.price.plusShipping
    }</p>
  </div>`
}

/** Adds bottles to the basket: `{ add, isAdding, error, isAdded }`. */
export const useAdding = wine => {
  const { t, announce, setBottles } = useShop()
  const [state, setState] = useState({})
  const add = async (quantity = 1) => {
    if (state.isAdding) return
    setState(before => ({ ...before, error: undefined, isAdding: true }))
    try {
      const { bottles } = await post('basket/add', { id: wine.id, quantity })
      setBottles(bottles)
      setState({ isAdded: true })
      announce(t.card.added(wineName(wine)))
    } catch (error) {
      setState({ error: itemsSentence(error, [{ item_type: 'wine', item_id: wine.id, name: wineName(wine) }], t) })
    }
  }
  return { add, ...state }
}

/** The visible result of adding to the basket; `announce` covers screen readers. */
export const Added = ({ isAdded, error }) => {
  const { t } = useShop()
  if (error) return html`<p class="said bad" role="alert">${error}</p>`
  return isAdded ? html`<p class="said good"><a href=${pathOf('basket')}>${t.card.toBasket}</a></p>` : null
}

const traitsOf = ({ type, taste_id, countrycode, grapetypeIds }, shop) => {
  const { labels } = shop
  return [
    typeName(type, shop),
    taste_id && labels.tastes[taste_id],
    grapetypeIds.length === 1 && labels.grapetypes[grapetypeIds[0]]?.name,
    labels.countries[countrycode],
  ].filter(Boolean)
}

const quantities = [1, 2, 3, 6, 12]

/** Afterwards a link to the basket replaces the quantity, so that the card does not grow; the button adds another. */
const CardBuy = ({ wine, name }) => {
  const { t } = useShop()
  const [quantity, setQuantity] = useState(1)
  const { add, isAdding, ...outcome } = useAdding(wine)
  if (wine.nostock === 1) return html`<p class="buy sold-out">${t.card.soldOut}</p>`
  const { isAdded } = outcome
  return html`<div class=${isAdded ? 'buy added' : 'buy'}>
    ${
      !isAdded &&
      html`<select aria-label=${t.card.quantity(name)} onChange=${event => setQuantity(Number(event.target.value))}>
        ${quantities.map(n => html`<option value=${n} selected=${n === quantity}>${n}</option>`)}
      </select>`
    }
    <button type="button" class="button quiet" aria-disabled=${isAdding ? 'true' : undefined}
      aria-label=${t.card.addName(name)} onClick=${() => add(isAdded ? 1 : quantity)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5v14M5 12h14" /></svg>${!isAdded && t.card.add}</button>
    <${Added} ...${outcome} />
  </div>`
}

export const WineCard = ({ wine, eager = false }) => {
  const shop = useShop()
  const { t } = shop
  const name = wineName(wine)
  return html`<article class="card">
    <div class="stage">
      <${Bottle} image=${wine.image} height=${300} sizes="(max-width: 34rem) 6rem, 135px" eager=${eager} />
      <p class="flags">${wine.bio === 1 && html`<span>${t.list.bio}</span>`}</p>
    </div>
    <div class="card-text">
      <p class="maker">${wine.winery?.name}</p>
      <h3><a href=${wineLink(wine)}>${name}</a></h3>
      <p class="traits">${traitsOf(wine, shop).join(' · ')}</p>
      <${Price} wine=${wine} />
      <${CardBuy} wine=${wine} name=${name} />
    </div>
  </article>`
}

/** A row of cards; empty cards until the wines are loaded. */
export const CardRow = ({ wines, size = 4 }) => {
  const shown = wines ?? Array.from({ length: size })
  return html`<ul class="cards row" aria-busy=${wines ? undefined : 'true'}>
    ${shown.map((wine, n) => html`<li key=${wine?.id ?? n}>${wine ? html`<${WineCard} wine=${wine} />` : html`<div class="card empty" />`}</li>`)}
  </ul>`
}
