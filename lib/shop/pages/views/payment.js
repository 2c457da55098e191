import { html, useEffect, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { forgetAll, useShop } from '../context.js'
import { forgetAttempt, forgetKept } from '../kept.js'
import { Failed, Heading } from '../parts/states.js'
import { pathOf } from '../router.js'
import { Confirmation } from './thanks.js'

/** What the page says of a payment that did not come to be, by the word of the refusal. */
const outcomes = {
  payment_declined: ['declined', 'declinedLead'],
  payment_not_approved: ['unapproved', 'unapprovedLead'],
  order_cancelled: ['replaced', 'replacedLead'],
  payment_not_found: ['unknown', ''],
  validation_failed: ['unknown', ''],
  order_paid: ['stillPaid', ''],
}

const Outcome = ({ title, lead }) => {
  const { t } = useShop()
  return html`<${Heading} key=${title} title=${title} isNews />
    ${lead && html`<p class="lead">${lead}</p>`}
    <p><a class="button" href=${pathOf('checkout')}>${t.payment.toCheckout}</a></p>`
}

const Pending = ({ order, ask, isAsking }) => {
  const { t } = useShop()
  return html`<${Heading} key="pending" title=${t.payment.pending} isNews />
    <p class="lead">${t.payment.pendingLead}</p>
    ${order && html`<p>${t.thanks.lead(order.number)}</p>`}
    <p><button type="button" class="button" aria-disabled=${isAsking ? 'true' : undefined} onClick=${ask}
      >${isAsking ? t.payment.asking : t.payment.again}</button></p>`
}

/** The page that the payment service leads back to: asks how the payment stands, and says so. */
export const View = () => {
  const { t, at, announce, reloadSession } = useShop()
  const [state, setState] = useState({ isAsking: true })
  const pid = new URLSearchParams(at.search).get('pid')
  const ask = async () => {
    setState(before => ({ ...before, isAsking: true }))
    try {
      const answer = await post('payment', { pid })
      setState(answer)
      if (answer.status === 'payed') {
        forgetKept()
        announce(t.payment.paid)
      } else announce(t.payment.pending)
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
    const [title, lead] = outcomes[error.word] ?? []
    if (title) return html`<${Outcome} title=${t.payment[title]} lead=${t.payment[lead]} />`
    return html`<${Heading} title=${t.payment.title} /><${Failed} error=${error} retry=${ask} />`
  }
  if (status === 'payed' && order) return html`<${Confirmation} order=${order} note=${t.payment.paid} isNews />`
  if (status === 'payed')
    return html`<${Heading} key="paid" title=${t.payment.paid} isNews /><p class="lead">${t.payment.otherBrowser}</p>`
  if (status === 'pending') return html`<${Pending} order=${order} ask=${ask} isAsking=${isAsking} />`
  return html`<${Heading} title=${t.payment.title} /><p class="lead" role="status">${t.payment.asking}</p>`
}
