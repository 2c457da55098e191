import { html } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { OrderView } from '../parts/order.js'
import { Failed, Heading, Loading } from '../parts/states.js'
import { pathOf } from '../router.js'

const Transfer = ({ order }) => {
  const { t, format, session } = useShop()
  const { bank } = session.merchant
  const rows = [
    [t.thanks.amount, format.money(order.gross)],
    [t.thanks.owner, bank.owner],
    [t.thanks.iban, bank.iban?.replace(/(.{4})(?=.)/g, '$1 ')],
    [t.thanks.bic, bank.bic],
    [t.thanks.bankname, bank.bankname],
    [t.thanks.reference, order.number],
  ].filter(([, value]) => value)
  return html`<section class="panel facts" aria-labelledby="transfer">
    <h2 id="transfer">${t.thanks.prepaid}</h2>
    <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </section>`
}

/** The confirmation of an order that is on its way; `note` is what there is to say of its payment. */
export const Confirmation = ({ order, note, isNews = false }) => {
  const { t } = useShop()
  return html`<${Heading} key="thanks" title=${t.thanks.title} isNews=${isNews} />
    <p class="lead">${t.thanks.lead(order.number)} ${note}</p>
    <p>${t.thanks.mail} <a href=${pathOf('mailbox')}>${t.thanks.mailLink}</a>.</p>
    ${order.payment_type === 'prepaid' && !order.paid && html`<${Transfer} order=${order} />`}
    ${order.delivery_type === 'none' && html`<div class="notice"><p>${t.thanks.collect}</p></div>`}
    <section class="panel" aria-labelledby="ordered">
      <h2 id="ordered">${t.order.title(order.number)}</h2>
      <${OrderView} order=${order} />
    </section>
    <p><a class="button" href=${pathOf('wines')}>${t.thanks.goOn}</a></p>`
}

/** The page after an order that needs no payment service. */
export const View = () => {
  const { t } = useShop()
  const { data, error, isLoading, reload } = useLoad('thanks', signal => get('order', {}, signal))
  if (error?.status === 404)
    return html`<${Heading} title=${t.checkout.title} /><p class="lead">${t.thanks.none}</p>
      <p><a class="button" href=${pathOf('wines')}>${t.basket.browse}</a></p>`
  if (error) return html`<${Failed} error=${error} retry=${reload} />`
  if (!data || isLoading) return html`<${Loading} />`
  return html`<${Confirmation} order=${data.order} />`
}
