import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { wineName } from '../names.js'
import { times } from '../price.js'
import { pathOf } from '../router.js'
import { AddressFields, AddressText, Field, FormError, SubmitButton } from './form.js'
import { BasketSums } from './sums.js'

/** The payment types that the shop has texts for; the merchant accepts some of them. */
const paymentTypes = ['paypal', 'card', 'invoice', 'prepaid', 'cash']

const Options = ({ name, legend, value, options, onChange }) => html`<fieldset class="options">
  <legend class="visually-hidden">${legend}</legend>
  ${options.map(
    ([key, text, hint]) => html`<label class="choice option">
      <input type="radio" name=${name} value=${key} checked=${key === value} onChange=${() => onChange(key)} />
      <span>${text}${hint && key === value && html`<small>${hint}</small>`}</span>
    </label>`,
  )}
</fieldset>`

const Billing = ({ form, errors, change }) => {
  const { t, session } = useShop()
  const { client } = session
  if (client)
    return html`<p>${t.checkout.signedInAs}</p><${AddressText} address=${client} />
      <p><a href=${pathOf('account')}>${t.checkout.changeAddress}</a></p>`
  return html`<p>${t.checkout.guest} <a href=${`${pathOf('signIn')}?to=checkout`}>${t.account.signIn}</a></p>
    <${Field} name="mail" id="billing-mail" type="email" autocomplete="email" isRequired value=${form.billing.mail} error=${errors.billing.mail}
      onInput=${mail => change({ billing: { ...form.billing, mail } })} />
    <${AddressFields} kind="billing" value=${form.billing} errors=${errors.billing} onChange=${billing => change({ billing })} />`
}

const Bottles = ({ items }) => {
  const { format } = useShop()
  return html`<ul class="bottles">
    ${items
      .filter(({ isGone }) => !isGone)
      .map(
        item => html`<li key=${item.id}>
          <span>${item.quantity} × ${wineName(item)}</span> <span>${format.money(times(item.gross, item.quantity))}</span>
        </li>`,
      )}
  </ul>`
}

const Delivery = ({ form, errors, change }) => {
  const { t, session } = useShop()
  const { address, zip, city } = session.merchant
  // Only collected goods can be paid in cash.
  const setTo = to =>
    change({ to, ...(to !== 'collect' && form.payment_type === 'cash' && { payment_type: 'invoice' }) })
  return html`<${Options} name="to" legend=${t.checkout.deliveryTitle} value=${form.to} onChange=${setTo} options=${[
    ['billing', t.checkout.toBilling],
    ['other', t.checkout.toOther],
    ['collect', t.checkout.collect, t.checkout.collectHint(`${address}, ${zip} ${city}`)],
  ]} />
  ${
    form.to === 'other' &&
    html`<fieldset><legend class="sub">${t.checkout.deliveryAddress}</legend>
      <${AddressFields} kind="shipping" value=${form.delivery} errors=${errors.delivery} withContact=${false}
        onChange=${delivery => change({ delivery })} /></fieldset>`
  }
  <p class="small">${t.wine.delivery}</p>`
}

const Payment = ({ form, change }) => {
  const { t, session } = useShop()
  const types = paymentTypes.filter(
    type => session.payments.includes(type) && (type !== 'cash' || form.to === 'collect'),
  )
  return html`<${Options} name="payment_type" legend=${t.checkout.payment} value=${form.payment_type}
    onChange=${payment_type => change({ payment_type })}
    options=${types.map(type => [type, t.checkout.payments[type], t.checkout.paymentHints[type]])} />`
}

/** True if the buyer confirmed to be as old as the goods require. */
export const isOldEnough = ({ confirmedAge = 0 }, { min_age }) => confirmedAge >= (min_age ?? 0)

const Age = ({ form, errors, change, basket }) => {
  const { t } = useShop()
  const { min_age } = basket
  if (min_age === null) return null
  return html`<label class="choice">
      <input type="checkbox" required checked=${isOldEnough(form, basket)} aria-invalid=${errors.age ? 'true' : undefined}
        aria-describedby=${errors.age ? 'age-error' : undefined}
        onChange=${event => change({ confirmedAge: event.target.checked ? min_age : 0 })} />
      <span>${t.checkout.age(min_age)}</span>
    </label>
    ${errors.age && html`<p class="field-error" id="age-error">${errors.age}</p>`}`
}

const Remark = ({ form, change }) => {
  const { t } = useShop()
  return html`<div class="field">
      <label for="remark">${t.checkout.remark} <small>(${t.form.optional})</small></label>
      <textarea id="remark" rows="3" maxlength="4000" value=${form.client_remark ?? ''}
        onInput=${event => change({ client_remark: event.target.value })}></textarea>
    </div>`
}

/** The first step: addresses, delivery and payment. */
export const Details = ({ onSubmit, isBusy, basket, ...rest }) => {
  const { t } = useShop()
  const { form, errors } = rest
  const sections = [
    ['billing', t.checkout.billing, Billing],
    ['delivery', t.checkout.deliveryTitle, Delivery],
    ['payment', t.checkout.payment, Payment],
  ]
  return html`<form class="checkout with-side" novalidate onSubmit=${event => {
    event.preventDefault()
    onSubmit()
  }}>
    <div>
      <${FormError} error=${errors.form} />
      ${sections.map(
        ([id, title, Section]) => html`<section class="panel" aria-labelledby=${id}>
          <h2 id=${id}>${title}</h2>
          <${Section} ...${rest} />
        </section>`,
      )}
      <section class="panel"><${Remark} ...${rest} /><${Age} ...${rest} basket=${basket} /></section>
      <${SubmitButton} isBusy=${isBusy}>${t.checkout.toReview}<//>
    </div>
    <aside class="side" aria-labelledby="summary">
      <h2 id="summary">${t.basket.summary}</h2>
      <${Bottles} items=${basket.items} />
      <${BasketSums} basket=${basket} isCollected=${form.to === 'collect'} />
      <p><a href=${pathOf('basket')}>${t.checkout.changeBasket}</a></p>
    </aside>
  </form>`
}
