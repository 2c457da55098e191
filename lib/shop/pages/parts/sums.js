import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { centsOf, missingForFree, sumOf, taxLinesOf, times } from '../price.js'
import { pathOf } from '../router.js'

const Row = ({ name, value, class: look = '' }) => html`<div class=${look}><dt>${name}</dt><dd>${value}</dd></div>`

/** The total of a basket, with its shipping costs unless it is collected. */
export const totalOf = ({ goods, shipping }, isCollected = false) =>
  shipping && !isCollected ? sumOf([goods, shipping.gross]) : goods

/** The amount missing for free delivery, and the number of bottles that the current package holds. */
const Shipping = ({ goods, shipping, toSend }) => {
  const { t, format, session } = useShop()
  const { shippingFreeFrom } = session.merchant
  const missing = missingForFree(goods, shippingFreeFrom)
  const isFree = centsOf(shipping.gross) === 0
  return html`${
    shippingFreeFrom !== null &&
    html`<div class="shipping-bar">
      <progress max=${centsOf(shippingFreeFrom)} value=${Math.min(centsOf(goods), centsOf(shippingFreeFrom))} aria-labelledby="shipping" />
      <p class="small" id="shipping">${missing ? t.basket.missing(format.money(missing)) : t.basket.isFree}</p>
    </div>`
  }
  ${!isFree && shipping.maxBottles > toSend && html`<p class="small">${t.basket.sameShipping(shipping.maxBottles)}</p>`}`
}

export const BasketSums = ({ basket, isCollected = false }) => {
  const { t, format } = useShop()
  const { goods, items, toSend } = basket
  const shipping = isCollected ? null : basket.shipping
  const lines = items
    .filter(({ isGone }) => !isGone)
    .map(({ gross, quantity, taxrate }) => ({ gross: times(gross, quantity), taxrate }))
  const all = shipping ? [...lines, shipping] : lines
  const isFree = shipping && centsOf(shipping.gross) === 0
  return html`<dl class="sums">
      <${Row} name=${t.basket.goods} value=${format.money(goods)} />
      ${
        !isCollected &&
        html`<${Row} name=${html`<a href=${pathOf('shipping')}>${t.basket.shipping}</a>`}
          value=${shipping ? (isFree ? t.basket.free : format.money(shipping.gross)) : t.basket.noShipping} />`
      }
      <${Row} class="total" name=${t.basket.total} value=${format.money(totalOf(basket, isCollected))} />
      ${taxLinesOf(all).map(({ taxrate, tax }) => html`<${Row} class="tax" name=${t.basket.tax(taxrate)} value=${format.money(tax)} />`)}
    </dl>
    ${shipping && html`<${Shipping} goods=${goods} shipping=${shipping} toSend=${toSend} />`}`
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
      html`<${Row} name=${t.basket.shipping}
        value=${centsOf(order.package.gross) === 0 ? t.basket.free : format.money(order.package.gross)} />`
    }
    <${Row} class="total" name=${t.basket.total} value=${format.money(order.gross)} />
    ${rates.map(([rate, { tax }]) => html`<${Row} class="tax" name=${t.basket.tax(Number(rate))} value=${format.money(tax)} />`)}
  </dl>`
}
