import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { basePriceOf } from '../price.js'
import { pathOf } from '../router.js'

/** The address of a wine's page. */
export const wineLink = ({ id, path_segment }) => pathOf('wine', { id, slug: path_segment })

/** A wine's name with its vintage. */
export const wineName = ({ name, vintage }) =>
  vintage && !name.includes(String(vintage)) ? `${name} ${vintage}` : name

// Two of the heights that pictures are made in serve every place and every screen, so that each is loaded once.
const sharp = { small: 640, large: 1280 }

/** The picture of a bottle on its shelf, `height` CSS pixels high; the path of the picture comes from the record. */
export const Bottle = ({ image, height, alt = '', eager = false }) => {
  if (!image) return null
  const size = height > sharp.small / 1.4 ? sharp.large : sharp.small
  return html`<img class="bottle" src=${`${image}?height=${size}`} alt=${alt} width=${Math.round(height * 0.45)}
    height=${height} loading=${eager ? 'eager' : 'lazy'} decoding="async" />`
}

/** A price as German law wants it: with its tax, what comes on top, and the base price of a litre. */
export const Price = ({ wine, link = false }) => {
  const { t, format } = useShop()
  const base = basePriceOf(wine.gross, wine.bottlesize)
  return html`<div class="price">
    <p class="amounts">
      <strong class="amount">${format.money(wine.gross)}</strong>
      ${
        base &&
        html`<span class="base"><span class="visually-hidden">${t.price.perLitreLong(format.money(base))}</span><span
          aria-hidden="true">${format.money(base)}/${t.price.perLitre}</span></span>`
      }
    </p>
    <p class="terms">${t.price.tax(wine.taxrate)} ${
      link ? html`<a href=${pathOf('shipping')}>${t.price.plusShipping}</a>` : t.price.plusShipping
    }</p>
  </div>`
}

/** Puts bottles into the basket; `{ add, isAdding, error, isAdded }`. */
export const useAdding = wine => {
  const { t, announce, setBottles } = useShop()
  const [state, setState] = useState({})
  const add = async (quantity = 1) => {
    if (state.isAdding) return
    setState({ isAdding: true })
    try {
      const { bottles } = await post('basket/add', { id: wine.id, quantity })
      setBottles(bottles)
      setState({ isAdded: true })
      announce(t.card.added(wineName(wine)))
    } catch (error) {
      setState({ error: sentenceOf(error, t) })
    }
  }
  return { add, ...state }
}

/** What became of putting something into the basket, for the eye; the ear is told elsewhere. */
export const Added = ({ isAdded, error }) => {
  const { t } = useShop()
  if (error) return html`<p class="said bad" role="alert">${error}</p>`
  return isAdded ? html`<p class="said good"><a href=${pathOf('basket')}>${t.card.toBasket}</a></p>` : null
}

const traitsOf = ({ type, taste_id, countrycode, grapetypeIds }, labels) =>
  [
    labels.winetypes[type],
    taste_id && labels.tastes[taste_id],
    grapetypeIds.length === 1 && labels.grapetypes[grapetypeIds[0]]?.name,
    labels.countries[countrycode],
  ].filter(Boolean)

/** A wine in a list. */
export const WineCard = ({ wine, eager = false }) => {
  const { t, labels } = useShop()
  const { add, isAdding, ...outcome } = useAdding(wine)
  const name = wineName(wine)
  return html`<article class="card">
    <div class="stage">
      <${Bottle} image=${wine.image} height=${300} eager=${eager} />
      <p class="flags">
        ${wine.bio === 1 && html`<span>${t.card.bio}</span>`}
        ${wine.nostock === 1 && html`<span class="gone">${t.card.soldOut}</span>`}
      </p>
    </div>
    <div class="card-text">
      <p class="maker">${wine.winery?.name}</p>
      <h3><a href=${wineLink(wine)}>${name}</a></h3>
      <p class="traits">${traitsOf(wine, labels).join(' · ')}</p>
      <${Price} wine=${wine} />
      <div class="buy">
        <button type="button" class="button" disabled=${wine.nostock === 1} aria-disabled=${isAdding ? 'true' : undefined}
          aria-label=${wine.nostock === 1 ? `${t.card.soldOut}: ${name}` : t.card.addName(name)} onClick=${() => add()}>
          ${wine.nostock === 1 ? t.card.soldOut : isAdding ? t.card.adding : t.card.add}
        </button>
        <${Added} ...${outcome} />
      </div>
    </div>
  </article>`
}
