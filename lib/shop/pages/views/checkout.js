import { html, useEffect, useState } from '/shop/vendor/preact.js'
import { get, post } from '../api.js'
import { attemptFor } from '../attempt.js'
import { forgetAll, useLoad, useShop } from '../context.js'
import { fieldSentences, itemsSentence, stillWrong } from '../errors.js'
import { forgetAttempt, forgetKept, keep, readKept } from '../kept.js'
import { Details } from '../parts/checkout-details.js'
import { Review } from '../parts/checkout-review.js'
import { missingIn, requiredFields } from '../parts/form.js'
import { Failed, Heading, Loading } from '../parts/states.js'
import { wineName } from '../parts/wine.js'
import { pathOf } from '../router.js'

const blank = {
  billing: { countrycode: 'de' },
  delivery: { countrycode: 'de' },
  to: 'billing',
  payment_type: 'invoice',
}

/** What is sent of an address: filled fields only. */
const filled = address => Object.fromEntries(Object.entries(address).filter(([, value]) => value?.trim()))

/** The order that a form asks for. */
const orderOf = ({ billing, delivery, to, payment_type, client_remark }, isGuest) => ({
  ...(isGuest && { billing: filled(billing) }),
  ...(to === 'other' && { delivery: filled(delivery) }),
  isCollected: to === 'collect',
  payment_type,
  client_remark: client_remark || null,
})

const noErrors = { billing: {}, delivery: {} }

const Steps = ({ isReview }) => {
  const { t } = useShop()
  const step = (text, isCurrent) => html`<li aria-current=${isCurrent ? 'step' : undefined}>${text}</li>`
  return html`<ol class="steps" aria-label=${t.checkout.steps}>${step(t.checkout.stepData, !isReview)}${step(t.checkout.stepReview, isReview)}</ol>`
}

/** The checkout: details first, then the whole order as the service prices it, and the button. */
export const View = () => {
  const { t, session, go, announce, setBottles, reloadSession } = useShop()
  const isGuest = !session.client
  const [form, setForm] = useState(() => ({ ...blank, ...readKept().form }))
  const [errors, setErrors] = useState(noErrors)
  const [isBusy, setBusy] = useState(false)
  const [order, setOrder] = useState()
  const { data: basket, error, reload } = useLoad('checkout basket', signal => get('basket', {}, signal))

  useEffect(() => {
    // Whoever goes back from the payment service may be shown the page as it was left, in the midst of ordering.
    const back = event => event.persisted && location.reload()
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  const change = part => {
    const changed = { ...form, ...part }
    setErrors({
      ...errors,
      billing: stillWrong(errors.billing, form.billing, changed.billing),
      delivery: stillWrong(errors.delivery, form.delivery, changed.delivery),
      age: changed.isAdult ? undefined : errors.age,
    })
    setForm(changed)
    keep({ form: changed })
  }

  const refuse = failure => {
    // Whoever is no longer signed in goes on as a guest.
    if (failure.status === 401) reloadSession()
    const named = basket.items.filter(({ isGone }) => !isGone).map(item => ({ ...item, name: wineName(item) }))
    setErrors({
      ...noErrors,
      billing: fieldSentences(failure, t, 'billing'),
      delivery: fieldSentences(failure, t, 'delivery'),
      form: { text: itemsSentence(failure, named, t) },
    })
  }

  const check = async () => {
    if (isBusy) return
    const billing = isGuest ? missingIn(form.billing, ['mail', ...requiredFields], t) : {}
    const delivery = form.to === 'other' ? missingIn(form.delivery, requiredFields, t) : {}
    const age = form.isAdult ? undefined : t.checkout.ageMissing
    const isBad = age || Object.keys(billing).length + Object.keys(delivery).length > 0
    if (isBad) return setErrors({ billing, delivery, age, form: { text: t.form.check } })
    setBusy(true)
    await price()
    setBusy(false)
  }

  const price = async () => {
    try {
      const priced = await post('checkout/price', orderOf(form, isGuest))
      setErrors(noErrors)
      setOrder(priced.order)
    } catch (failure) {
      setOrder(undefined)
      refuse(failure)
    }
  }

  const place = async () => {
    if (isBusy) return
    setBusy(true)
    // The price that was shown goes along: at another one nothing is ordered.
    const asked = { ...orderOf(form, isGuest), gross: order.gross }
    const attempt = attemptFor({ ...asked, positions: order.positions }, readKept().attempt, () => crypto.randomUUID())
    keep({ attempt })
    try {
      const { targetUrl } = await post('checkout', asked, { 'idempotency-key': attempt.key })
      forgetAll()
      if (targetUrl) return location.assign(targetUrl)
      forgetKept()
      setBottles(0)
      go(pathOf('thanks'), { replace: true })
    } catch (failure) {
      setBusy(false)
      if (failure.word === 'price_mismatch') {
        announce(t.checkout.priceChanged)
        await price()
        return setErrors({ ...noErrors, form: { text: t.checkout.priceChanged } })
      }
      if (failure.word === 'idempotency_key_reused') forgetAttempt()
      if (failure.status === 401) setOrder(undefined)
      refuse(failure)
    }
  }

  if (error) return html`<${Failed} error=${error} retry=${reload} />`
  if (!basket) return html`<${Loading} />`
  if (basket.items.length === 0)
    return html`<${Heading} title=${t.checkout.title} /><p class="lead">${t.basket.empty}</p>
      <p><a class="button" href=${pathOf('wines')}>${t.basket.browse}</a></p>`
  return html`<${Heading} title=${t.checkout.title} />
    <${Steps} isReview=${Boolean(order)} />
    ${basket.isWaiting && html`<div class="notice"><p>${t.basket.waiting}</p></div>`}
    ${
      order
        ? html`<${Review} order=${order} isBusy=${isBusy} error=${errors.form} onBack=${() => setOrder(undefined)} onOrder=${place} />`
        : html`<${Details} form=${form} change=${change} errors=${errors} onSubmit=${check} isBusy=${isBusy} basket=${basket} />`
    }`
}
