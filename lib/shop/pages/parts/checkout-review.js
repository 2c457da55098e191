import { html, useEffect, useRef } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { pathOf } from '../router.js'
import { FormError, SubmitButton } from './form.js'
import { Parties, Positions } from './order.js'
import { OrderSums } from './sums.js'

/** The second step: the whole order, directly above the button, as German law requires. */
export const Review = ({ order, onBack, onOrder, isBusy, error }) => {
  const { t } = useShop()
  const title = useRef()
  useEffect(() => {
    title.current.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return html`<form class="review" onSubmit=${event => {
    event.preventDefault()
    onOrder()
  }}>
    <h2 tabindex="-1" ref=${title}>${t.checkout.stepReview}</h2>
    <p class="lead">${t.checkout.reviewLead}</p>
    <div class="panel">
      <${Parties} order=${order} />
      <p><button type="button" class="link" onClick=${onBack}>${t.checkout.change}</button></p>
    </div>
    <div class="panel">
      <h3>${t.checkout.goods}</h3>
      <${Positions} order=${order} />
      <p><a href=${pathOf('basket')}>${t.checkout.changeBasket}</a></p>
      <${OrderSums} order=${order} />
      <p class="small">${t.wine.delivery}.${order.min_age && ` ${t.wine.age(order.min_age)}.`}</p>
      <p class="small">${t.checkout.terms} <a href=${pathOf('terms')} target="_blank">${t.checkout.termsLink}</a>.
        ${' '}${t.checkout.withdrawal} <a href=${pathOf('withdrawal')} target="_blank">${t.checkout.withdrawalLink}</a>.</p>
      <${FormError} error=${error} />
      <${SubmitButton} size="large" isBusy=${isBusy} busy=${t.checkout.ordering}>${t.checkout.order}<//>
    </div>
  </form>`
}
