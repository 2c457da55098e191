import { html } from '/shop/vendor/preact.js'
import { get, post } from '../api.js'
import { useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { AddressFields, missingIn, requiredFields, SendingForm } from '../parts/form.js'
import { OrderView } from '../parts/order.js'
import { Heading, Message, usePageData } from '../parts/states.js'
import { pathOf } from '../router.js'

const Orders = () => {
  const { t, format, at } = useShop()
  const page = Number(new URLSearchParams(at.search).get('page')) || 1
  const { data, instead } = usePageData(`orders ${page}`, signal => get('account/orders', { page }, signal))
  if (instead) return instead
  if (data.orders.length === 0) return html`<p>${t.account.noOrders}</p>`
  const { current, total } = data.pages
  const to = n => `${pathOf('account')}?page=${n}`
  return html`<ul class="orders">
      ${data.orders.map(
        order => html`<li><a href=${pathOf('accountOrder', { uuid: order.uuid })}>
          <strong>${t.order.title(order.number)}</strong><span class="line-total">${format.money(order.gross)}</span>
          <span>${format.date(order.crstamp)} · ${t.order.statuses[order.status]}</span>
        </a></li>`,
      )}
    </ul>
    ${
      total > 1 &&
      html`<nav class="pages" aria-label=${t.list.pages}>
        ${current > 1 && html`<a href=${to(current - 1)} aria-label=${t.list.previous}>←</a>`}
        <span>${t.list.pageOf(current, total)}</span>
        ${current < total && html`<a href=${to(current + 1)} aria-label=${t.list.next}>→</a>`}
      </nav>`
    }`
}

const Account = () => {
  const { t, session, go, announce, reloadSession } = useShop()
  const { client } = session
  if (!client)
    return html`<${Message} title=${t.account.title} lead=${t.account.needed} href=${pathOf('signIn')} link=${t.account.signIn} />`
  const signOut = async () => {
    try {
      await post('account/sign-out')
      announce(t.account.signedOut)
    } catch (error) {
      announce(sentenceOf(error, t))
    }
    await reloadSession()
    go('/')
  }
  const save = async data => {
    await post('account/edit', data)
    await reloadSession()
    announce(t.form.saved)
  }
  const name = [client.first_name, client.last_name].filter(Boolean).join(' ') || client.company
  return html`<${Heading} title=${t.account.title}>${t.account.hello(name)}<//>
    <p class="account-line">${client.number && html`<span class="small">${t.account.number(client.number)} · ${client.mail}</span>`}
      ${' '}<button type="button" class="link" onClick=${signOut}>${t.account.signOut}</button></p>
    <section class="panel" aria-labelledby="orders"><h2 id="orders">${t.account.orders}</h2><${Orders} /></section>
    <section class="panel" aria-labelledby="data"><h2 id="data">${t.account.data}</h2>
      <${SendingForm} first=${client} button=${t.form.save} send=${save} check=${value => missingIn(value, requiredFields, t)}>
        ${({ value, errors, change }) =>
          html`<${AddressFields} kind="billing" value=${value} errors=${errors} onChange=${change} />`}
      <//>
    </section>`
}

const Step = ({ order, step }) => {
  const { t, format, announce } = useShop()
  const { at, what, number, amount, carrier, tracking } = step
  const open = async () => {
    try {
      const { url } = await get('account/document', { uuid: order.uuid, document: what, number })
      location.assign(url)
    } catch (error) {
      announce(sentenceOf(error, t))
    }
  }
  return html`<li><time datetime=${at}>${format.date(at)}</time> ${t.order.steps[what]}${amount && ` · ${format.money(amount)}`}
    ${number && html` <button type="button" class="link" onClick=${open}>${t.order.download(number)}</button>`}
    ${(carrier || tracking) && html`<span class="small"> ${t.order.sentWith(carrier, tracking)}</span>`}</li>`
}

const AccountOrder = () => {
  const { t, format, route } = useShop()
  const { uuid } = route.params
  const { data, error, instead } = usePageData(`order ${uuid}`, signal => get('account/order', { uuid }, signal))
  if (instead) return html`${error && html`<${Heading} title=${t.account.orders} />`}${instead}`
  const { order } = data
  return html`<nav class="crumbs" aria-label=${t.wine.crumbs}><ol><li><a href=${pathOf('account')}>${t.account.title}</a></li></ol></nav>
    <${Heading} title=${t.order.title(order.number)} />
    <p class="lead">${t.order.date} ${format.date(order.crstamp)} · ${t.order.status}: ${t.order.statuses[order.status]}</p>
    <section class="panel" aria-labelledby="steps"><h2 id="steps">${t.order.history}</h2>
      <ol class="order-steps">${order.steps.map(step => html`<${Step} order=${order} step=${step} />`)}</ol></section>
    <div class="panel"><h2 class="visually-hidden">${t.basket.summary}</h2><${OrderView} order=${order} /></div>`
}

export const views = { account: Account, accountOrder: AccountOrder }
