import { html, useEffect, useState } from '/shop/vendor/preact.js'
import { get, post } from '../api.js'
import { attemptFor, forgetAttempt, forgetCheckout, readCheckout, saveCheckout } from '../checkout-storage.js'
import { forgetAll, useShop } from '../context.js'
import { fieldSentences, itemsSentence, stillWrong } from '../errors.js'
import { countriesOf, wineName } from '../names.js'
import { Details, isOldEnough } from '../parts/checkout-details.js'
import { Review } from '../parts/checkout-review.js'
import { missingIn, requiredFields } from '../parts/form.js'
import { Heading, Message, usePageData } from '../parts/states.js'
import { pathOf } from '../router.js'

const emptyForm = ([[countrycode]]) => ({
  billing: { countrycode },
  delivery: { countrycode },
  to: 'billing',
  payment_type: 'invoice',
})
const noErrors = { billing: {}, delivery: {} }

const withoutEmpty = address => Object.fromEntries(Object.entries(address).filter(([, value]) => value?.trim()))

/** The request of an order. */
const orderOf = ({ billing, delivery, to, payment_type, client_remark }, isGuest) => ({
  ...(isGuest && { billing: withoutEmpty(billing) }),
  ...(to === 'other' && { delivery: withoutEmpty(delivery) }),
  isCollected: to === 'collect',
  payment_type,
  client_remark: client_remark || null,
})

/** Returns sentences for what is missing; undefined if the form is complete. */
const missingInForm = (form, basket, isGuest, t) => {
  const billing = isGuest ? missingIn(form.billing, ['mail', ...requiredFields], t) : {}
  const delivery = form.to === 'other' ? missingIn(form.delivery, requiredFields, t) : {}
  const age = isOldEnough(form, basket) ? undefined : t.checkout.ageMissing(basket.min_age)
  if (!age && Object.keys({ ...billing, ...delivery }).length === 0) return undefined
  return { billing, delivery, age, form: { text: t.form.check } }
}

/** The form with its errors, stored until the order is placed. */
const useForm = () => {
  const shop = useShop()
  const [form, setForm] = useState(() => ({ ...emptyForm(countriesOf(shop)), ...readCheckout().form }))
  const [errors, setErrors] = useState(noErrors)
  const change = part => {
    const changed = { ...form, ...part }
    setErrors({
      ...errors,
      billing: stillWrong(errors.billing, form.billing, changed.billing),
      delivery: stillWrong(errors.delivery, form.delivery, changed.delivery),
      age: changed.confirmedAge ? undefined : errors.age,
    })
    setForm(changed)
    saveCheckout({ form: changed })
  }
  return { form, errors, setErrors, change }
}

/** Prices and places an order; `order` is the priced order. */
const useOrder = ({ form, setErrors }, basket) => {
  const { t, session, go, announce, setBottles, reloadSession } = useShop()
  const isGuest = !session.client
  const [order, setOrder] = useState()
  const [isBusy, setBusy] = useState(false)

  const showFailure = failure => {
    // A client whose session has expired continues as a guest.
    if (failure.status === 401) reloadSession()
    const named = basket.items.filter(({ isGone }) => !isGone).map(item => ({ ...item, name: wineName(item) }))
    setErrors({
      ...noErrors,
      billing: fieldSentences(failure, t, 'billing'),
      delivery: fieldSentences(failure, t, 'delivery'),
      form: { text: itemsSentence(failure, named, t) },
    })
  }

  const price = async () => {
    try {
      const priced = await post('checkout/price', orderOf(form, isGuest))
      setErrors(noErrors)
      setOrder(priced.order)
    } catch (failure) {
      setOrder(undefined)
      showFailure(failure)
    }
  }

  const check = async () => {
    if (isBusy) return
    const missing = missingInForm(form, basket, isGuest, t)
    if (missing) return setErrors(missing)
    setBusy(true)
    await price()
    setBusy(false)
  }

  const submit = async () => {
    // The service refuses the order at any other price than that shown.
    const request = { ...orderOf(form, isGuest), gross: order.gross }
    const { positions } = order
    const attempt = attemptFor({ ...request, positions }, readCheckout().attempt, () => crypto.randomUUID())
    saveCheckout({ attempt })
    const { targetUrl } = await post('checkout', request, { 'idempotency-key': attempt.key })
    forgetAll()
    if (targetUrl) return location.assign(targetUrl)
    forgetCheckout()
    setBottles(0)
    go(pathOf('thanks'), { replace: true })
  }

  const place = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await submit()
    } catch (failure) {
      setBusy(false)
      if (failure.word === 'price_mismatch') {
        announce(t.checkout.priceChanged)
        await price()
        return setErrors({ ...noErrors, form: { text: t.checkout.priceChanged } })
      }
      if (failure.word === 'idempotency_key_reused') forgetAttempt()
      if (failure.status === 401) setOrder(undefined)
      showFailure(failure)
    }
  }

  return { order, isBusy, check, place, edit: () => setOrder(undefined) }
}

/** After "back" from the payment provider, a browser may show the page as it was left, while it was ordering. */
const useReloadAfterBack = () =>
  useEffect(() => {
    const back = event => event.persisted && location.reload()
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

const Steps = ({ isReview }) => {
  const { t } = useShop()
  const step = (text, isCurrent) => html`<li aria-current=${isCurrent ? 'step' : undefined}>${text}</li>`
  return html`<ol class="steps" aria-label=${t.checkout.steps}>${step(t.checkout.stepData, !isReview)}${step(t.checkout.stepReview, isReview)}</ol>`
}

/** Two steps: the details, then the review of the priced order. */
const Checkout = () => {
  const { t } = useShop()
  const { data: basket, instead } = usePageData('checkout basket', signal => get('basket', {}, signal))
  const details = useForm()
  const { order, isBusy, check, place, edit } = useOrder(details, basket)
  useReloadAfterBack()
  if (instead) return instead
  if (basket.items.length === 0)
    return html`<${Message} title=${t.checkout.title} lead=${t.basket.empty} href=${pathOf('wines')} link=${t.basket.browse} />`
  const { form, errors, change } = details
  return html`<${Heading} title=${t.checkout.title} />
    <${Steps} isReview=${Boolean(order)} />
    ${basket.isWaiting && html`<div class="notice"><p>${t.basket.waiting}</p></div>`}
    ${
      order
        ? html`<${Review} order=${order} isBusy=${isBusy} error=${errors.form} onBack=${edit} onOrder=${place} />`
        : html`<${Details} form=${form} change=${change} errors=${errors} onSubmit=${check} isBusy=${isBusy} basket=${basket} />`
    }`
}

export const views = { checkout: Checkout }
