import { html } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { Failed, Heading, Loading } from '../parts/states.js'

/** What sending costs and how one pays, as the merchant has set it. */
export const View = () => {
  const { t, format, session } = useShop()
  const { data, error, reload } = useLoad('shipping', signal => get('shipping', {}, signal))
  if (error) return html`<${Failed} error=${error} retry=${reload} />`
  if (!data) return html`<${Loading} />`
  const free = session.merchant.freightFreeFrom
  return html`<div class="prose"><${Heading} title=${t.legal.shipping} />
    ${t.legal.shippingText.map(text => html`<p>${text}</p>`)}
    <table>
      <caption class="visually-hidden">${t.legal.cost}</caption>
      <thead><tr><th scope="col">${t.legal.bottles}</th><th scope="col">${t.legal.cost}</th></tr></thead>
      <tbody>
        ${data.packages.map(
          ({ id, min_bottles, max_bottles, gross }) => html`<tr key=${id}>
            <th scope="row">${t.legal.upTo(min_bottles, max_bottles)}</th><td>${format.money(gross)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${free && html`<p>${t.legal.freeFrom(format.money(free))}</p>`}
    <h2>${t.checkout.payment}</h2>
    <p>${t.start.pay}</p>
    <div class="notice"><p>${t.legal.demo}</p></div></div>`
}
