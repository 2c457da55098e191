import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { centsOf, missingForFree, sumOf, taxLinesOf, times } from '../price.js'
import { pathOf } from '../router.js'

const Row = ({ name, value, class: look = '' }) => html`<div class=${look}><dt>${name}</dt><dd>${value}</dd></div>`

/** The total of a basket, with its shipping costs unless it is collected. */
export const totalOf = ({ goods, freight }, isCollected = false) =>
  freight && !isCollected ? sumOf([goods, freight.gross]) : goods

/** The amount missing for free delivery, and the number of bottles that the current package holds. */
const Freight = ({ goods, freight, toSend }) => {
  const { t, format, session } = useShop()
  const { freightFreeFrom } = session.merchant
  const missing = missingForFree(goods, freightFreeFrom)
  const isFree = centsOf(freight.gross) === 0
  return html`${
    freightFreeFrom !== null &&
    html`<div class="freight-bar">
      <progress max=${centsOf(freightFreeFrom)} value=${Math.min(centsOf(goods), centsOf(freightFreeFrom))} aria-labelledby="freight" />
      <p class="small" id="freight">${missing ? t.basket.missing(format.money(missing)) : t.basket.isFree}</p>
    </div>`
  }
  ${!isFree && freight.maxBottles > toSend && html`<p class="small">${t.basket.sameFreight(freight.maxBottles)}</p>`}`
}

export const BasketSums = ({ basket, isCollected = false }) => {
  const { t, format } = useShop()
  const { goods, items, toSend } = basket
  const freight = isCollected ? null : basket.freight
  const lines = items
    .filter(({ isGone }) => !isGone)
    .map(({ gross, quantity, taxrate }) => ({ gross: times(gross, quantity), taxrate }))
  const all = freight ? [...lines, freight] : lines
  const isFree = freight && centsOf(freight.gross) === 0
  return html`<dl class="sums">
      <${Row} name=${t.basket.goods} value=${format.money(goods)} />
      ${
        !isCollected &&
        html`<${Row} name=${html`<a href=${pathOf('shipping')}>${t.basket.freight}</a>`}
          value=${freight ? (isFree ? t.basket.free : format.money(freight.gross)) : t.basket.noFreight} />`
      }
      <${Row} class="total" name=${t.basket.total} value=${format.money(totalOf(basket, isCollected))} />
      ${taxLinesOf(all).map(({ taxrate, tax }) => html`<${Row} class="tax" name=${t.basket.tax(taxrate)} value=${format.money(tax)} />`)}
    </dl>
    ${freight && html`<${Freight} goods=${goods} freight=${freight} toSend=${toSend} />`}`
}

/** The sums of an order, as the service calculated them. */
export const OrderSums = ({ order }) => {
  const { t, format } = useShop()
  const rates = Object.entries(order.taxrates).filter(([, { tax }]) => tax !== '0.00')
  return html`<dl class="sums">
    <${Row} name=${t.basket.goods} value=${format.money(order.item_gross)} />
    ${order.rebates.map(({ name, gross }) => html`<${Row} name=${name || t.order.rebate} value=${format.money(gross)} />`)}
    ${
      order.package &&
      html`<${Row} name=${t.basket.freight}
        value=${centsOf(order.package.gross) === 0 ? t.basket.free : format.money(order.package.gross)} />`
    }
    <${Row} class="total" name=${t.basket.total} value=${format.money(order.gross)} />
    ${rates.map(([rate, { tax }]) => html`<${Row} class="tax" name=${t.basket.tax(Number(rate))} value=${format.money(tax)} />`)}
  </dl>`
}
