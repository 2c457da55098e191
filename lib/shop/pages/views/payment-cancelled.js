import { html, useEffect, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { forgetAll, useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { forgetAttempt } from '../kept.js'
import { Failed, Heading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** The page that the payment service leads to when the buyer turns back there: the order is cancelled. */
export const View = () => {
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
    return html`<${Heading} title=${t.payment.title} /><p class="lead">${sentenceOf(error, t)}</p>
      <p><a class="button" href=${pathOf('thanks')}>${t.order.status}</a></p>`
  if (error) return html`<${Heading} title=${t.payment.cancelled} /><${Failed} error=${error} retry=${cancel} />`
  if (!isDone) return html`<${Heading} title=${t.payment.title} /><p class="lead" role="status">${t.payment.asking}</p>`
  return html`<${Heading} key="done" title=${t.payment.cancelled} isNews />
    <p class="lead">${t.payment.cancelledLead}</p>
    <p class="buttons"><a class="button" href=${pathOf('checkout')}>${t.payment.toCheckout}</a>
      ${' '}<a class="button quiet" href=${pathOf('basket')}>${t.basket.title}</a></p>`
}
