import { html } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { OrderView } from '../parts/order.js'
import { Failed, Heading, Loading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** An order of a client who is signed in. */
export const View = () => {
  const { t, format, place } = useShop()
  const { uuid } = place.params
  const { data, error, reload } = useLoad(`order ${uuid}`, signal => get('account/order', { uuid }, signal))
  if (error) return html`<${Heading} title=${t.account.orders} /><${Failed} error=${error} retry=${reload} />`
  if (!data) return html`<${Loading} />`
  const { order } = data
  return html`<nav class="crumbs" aria-label=${t.wine.crumbs}><ol><li><a href=${pathOf('account')}>${t.account.title}</a></li></ol></nav>
    <${Heading} title=${t.order.title(order.number)} />
    <p class="lead">${t.order.date} ${format.date(order.crstamp)} · ${t.order.status}: ${t.order.statuses[order.status]}${
      order.invoices.length > 0 && ` · ${t.order.invoice} ${order.invoices.map(({ number }) => number).join(', ')}`
    }</p>
    <div class="panel"><h2 class="visually-hidden">${t.basket.summary}</h2><${OrderView} order=${order} /></div>`
}
