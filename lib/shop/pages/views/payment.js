import { html, useEffect, useState } from '/shop/vendor/preact.js'
import { get, post } from '../api.js'
import { forgetAttempt, forgetCheckout } from '../checkout-storage.js'
import { forgetAll, useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { OrderView } from '../parts/order.js'
import { Definitions, Failed, Heading, Loading, Message, usePageData } from '../parts/states.js'
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
  ]
  return html`<section class="panel facts" aria-labelledby="transfer">
    <h2 id="transfer">${t.thanks.prepaid}</h2>
    <${Definitions} rows=${rows} />
  </section>`
}

/** The confirmation of an order; `note` is about its payment. */
const Confirmation = ({ order, note, isNews = false }) => {
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

/** The page after an order without a payment provider. */
const Thanks = () => {
  const { t } = useShop()
  const { data, error, isLoading, instead } = usePageData('thanks', signal => get('order', {}, signal))
  if (error?.status === 404)
    return html`<${Message} title=${t.checkout.title} lead=${t.thanks.none} href=${pathOf('wines')} link=${t.basket.browse} />`
  if (instead || isLoading) return instead || html`<${Loading} />`
  return html`<${Confirmation} order=${data.order} />`
}

/** Title and sentence of an unsuccessful payment, by error word. */
const outcomesOf = ({ payment, errors: { words } }) => ({
  payment_declined: [payment.declined, payment.declinedLead],
  payment_not_approved: [payment.unapproved, payment.unapprovedLead],
  order_cancelled: [payment.replaced, payment.replacedLead],
  payment_not_found: [words.payment_not_found],
  validation_failed: [words.payment_not_found],
  order_paid: [words.order_paid],
})

const Pending = ({ order, ask, isAsking }) => {
  const { t } = useShop()
  return html`<${Heading} key="pending" title=${t.payment.pending} isNews />
    <p class="lead">${t.payment.pendingLead}</p>
    ${order && html`<p>${t.thanks.lead(order.number)}</p>`}
    <p><button type="button" class="button" aria-disabled=${isAsking ? 'true' : undefined} onClick=${ask}
      >${isAsking ? t.payment.asking : t.payment.again}</button></p>`
}

const Asking = () => {
  const { t } = useShop()
  return html`<${Heading} title=${t.payment.title} /><p class="lead" role="status">${t.payment.asking}</p>`
}

/** The return page of the payment provider: asks the server for the state of the payment, and shows it. */
const Payment = () => {
  const { t, at, announce, reloadSession } = useShop()
  const [state, setState] = useState({ isAsking: true })
  const pid = new URLSearchParams(at.search).get('pid')
  const ask = async () => {
    setState(before => ({ ...before, isAsking: true }))
    try {
      const answer = await post('payment', { pid })
      setState(answer)
      if (answer.status === 'payed') forgetCheckout()
      announce(answer.status === 'payed' ? t.payment.paid : t.payment.pending)
    } catch (error) {
      forgetAttempt()
      setState({ error })
    }
    forgetAll()
    reloadSession().catch(() => {})
  }
  useEffect(() => {
    ask()
  }, [pid])
  const { status, order, error, isAsking } = state
  if (error) {
    const [title, lead] = outcomesOf(t)[error.word] ?? []
    if (!title) return html`<${Heading} title=${t.payment.title} /><${Failed} error=${error} retry=${ask} />`
    return html`<${Message} title=${title} lead=${lead} isNews href=${pathOf('checkout')}
      link=${t.payment.toCheckout} />`
  }
  if (status === 'payed' && order) return html`<${Confirmation} order=${order} note=${t.payment.paid} isNews />`
  if (status === 'payed')
    return html`<${Heading} key="paid" title=${t.payment.paid} isNews /><p class="lead">${t.payment.otherBrowser}</p>`
  if (status === 'pending') return html`<${Pending} order=${order} ask=${ask} isAsking=${isAsking} />`
  return html`<${Asking} />`
}

/** The page for a payment cancelled at the provider: cancels the order. */
const PaymentCancelled = () => {
  const { t, reloadSession } = useShop()
  const [state, setState] = useState({})
  const cancel = async () => {
    setState({})
    try {
      forgetAttempt()
      await post('order/cancel')
      setState({ isDone: true })
    } catch (error) {
      setState({ error })
    }
    forgetAll()
    reloadSession().catch(() => {})
  }
  useEffect(() => {
    cancel()
  }, [])
  const { isDone, error } = state
  if (error?.status === 409 || error?.status === 404)
    return html`<${Message} title=${t.payment.title} lead=${sentenceOf(error, t)} href=${pathOf('thanks')} link=${t.order.status} />`
  if (error) return html`<${Heading} title=${t.payment.cancelled} /><${Failed} error=${error} retry=${cancel} />`
  if (!isDone) return html`<${Asking} />`
  return html`<${Heading} key="done" title=${t.payment.cancelled} isNews />
    <p class="lead">${t.payment.cancelledLead}</p>
    <p class="buttons"><a class="button" href=${pathOf('checkout')}>${t.payment.toCheckout}</a>
      ${' '}<a class="button quiet" href=${pathOf('basket')}>${t.basket.title}</a></p>`
}

export const views = { thanks: Thanks, payment: Payment, paymentCancelled: PaymentCancelled }
