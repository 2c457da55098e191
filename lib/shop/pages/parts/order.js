import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { wineLink, wineName } from '../names.js'
import { amountOf, centsOf } from '../price.js'
import { AddressText } from './form.js'
import { OrderSums } from './sums.js'
import { Bottle, perLitre } from './wine.js'

const unitPrice = ({ gross, quantity }) => amountOf(Math.round(centsOf(gross) / quantity))

export const Positions = ({ order }) => {
  const shop = useShop()
  const { t, format } = shop
  return html`<ul class="lines">
    ${order.positions.map(position => {
      const { item, quantity, gross, item_id, item_type, base_price: base } = position
      const name = wineName({ name: position.name, vintage: item.vintage })
      return html`<li class="line">
        <div class="stage small-stage"><${Bottle} image=${item.image} height=${120} /></div>
        <div class="line-text">
          <h3>${item_type === 'wine' ? html`<a href=${wineLink({ id: item_id, path_segment: item.path_segment })}>${name}</a>` : name}</h3>
          <p class="small">${quantity} × ${format.money(unitPrice(position))}${
            item.bottlesize &&
            ` · ${t.wine.litres(format.number(item.bottlesize))}${base ? ` · ${perLitre(base, shop)}` : ''}`
          }</p>
        </div>
        <p class="line-total">${format.money(gross)}</p>
      </li>`
    })}
  </ul>`
}

export const Parties = ({ order }) => {
  const { t } = useShop()
  return html`<div class="parties">
    <section><h3>${t.order.billing}</h3><${AddressText} address=${order.billing} /></section>
    <section><h3>${order.delivery ? t.order.delivery : t.order.collected}</h3>
      ${order.delivery ? html`<${AddressText} address=${order.delivery} />` : html`<p>${t.checkout.collected}</p>`}</section>
    <section><h3>${t.checkout.payment}</h3><p>${t.checkout.payments[order.payment_type]}</p></section>
  </div>`
}

export const OrderView = ({ order }) => html`<${Parties} order=${order} />
  <${Positions} order=${order} />
  <${OrderSums} order=${order} />`
