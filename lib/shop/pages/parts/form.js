import { html, useEffect, useRef, useState } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { fieldSentences, sentenceOf, stillWrong } from '../errors.js'
import { countriesOf } from '../names.js'

const Message = ({ id, text }) => (text ? html`<p class="field-error" id=${id}>${text}</p>` : null)

/** A labelled input; `name` is a field of the record. */
export const Field = ({
  name,
  label,
  value,
  error,
  hint,
  onInput,
  id = name,
  isRequired = false,
  type = 'text',
  ...rest
}) => {
  const { t } = useShop()
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return html`<div class=${`field ${name}`}>
    <label for=${id}>${label ?? t.form[name]}${!isRequired && html` <small>(${t.form.optional})</small>`}</label>
    <input id=${id} name=${name} type=${type} value=${value ?? ''} required=${isRequired} maxlength="255"
      aria-invalid=${error ? 'true' : undefined} aria-describedby=${described || undefined}
      onInput=${event => onInput(event.target.value)} ...${rest} />
    ${hint && html`<p class="small hint" id=${`${id}-hint`}>${hint}</p>`}
    <${Message} id=${`${id}-error`} text=${error} />
  </div>`
}

const Select = ({ name, id, value, options, error, onInput, ...rest }) => {
  const { t } = useShop()
  return html`<div class=${`field ${name}`}>
    <label for=${id}>${t.form[name]}</label>
    <select id=${id} name=${name} value=${value} aria-invalid=${error ? 'true' : undefined}
      aria-describedby=${error ? `${id}-error` : undefined} onChange=${event => onInput(event.target.value)} ...${rest}>
      ${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
    </select>
    <${Message} id=${`${id}-error`} text=${error} />
  </div>`
}

const autocomplete = {
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  address: 'street-address',
  address_supplement: 'address-line2',
  zip: 'postal-code',
  city: 'address-level2',
  phone: 'tel',
}

/** The fields of an address. `errors` are sentences by field; `kind` is billing or shipping. */
export const AddressFields = ({ kind, value, errors, onChange, withContact = true }) => {
  const shop = useShop()
  const { t } = shop
  const countries = countriesOf(shop)
  const bind = (name, isRequired = false) => ({
    name,
    id: `${kind}-${name}`,
    value: value[name] ?? '',
    error: errors[name],
    isRequired,
    autocomplete: `${kind} ${autocomplete[name]}`,
    onInput: text => onChange({ ...value, [name]: text }),
  })
  const genders = Object.entries(t.form.genders)
  const { isRequired: _, ...gender } = bind('gender')
  return html`<div class="fields">
    <${Select} ...${gender} autocomplete="off" options=${genders} />
    <${Field} ...${bind('company')} />
    <${Field} ...${bind('first_name', true)} />
    <${Field} ...${bind('last_name', true)} />
    <${Field} ...${bind('address', true)} />
    <${Field} ...${bind('address_supplement')} />
    <${Field} ...${bind('zip', true)} inputmode="numeric" />
    <${Field} ...${bind('city', true)} />
    <${Select} name="countrycode" id=${`${kind}-countrycode`} value=${value.countrycode ?? countries[0][0]} error=${errors.countrycode}
      autocomplete=${`${kind} country`} options=${countries}
      onInput=${code => onChange({ ...value, countrycode: code })} />
    ${withContact && html`<${Field} ...${bind('phone')} type="tel" />`}
  </div>`
}

export const requiredFields = ['first_name', 'last_name', 'address', 'zip', 'city']

/** Returns sentences for the required fields that are empty. */
export const missingIn = (value, names, t) =>
  Object.fromEntries(names.filter(name => !value[name]?.trim()).map(name => [name, t.errors.rules.required]))

export const AddressText = ({ address }) => {
  const { labels } = useShop()
  const { company, first_name, last_name, address_supplement, zip, city, countrycode } = address ?? {}
  const lines = [
    company,
    [first_name, last_name].filter(Boolean).join(' '),
    ...[address?.address, address_supplement],
    [zip, city].filter(Boolean).join(' '),
    labels.countries[countrycode],
  ].filter(Boolean)
  return html`<address>${lines.map(line => html`<span>${line}</span><br />`)}</address>`
}

/** The error of a whole form. Each new error focuses the first bad field. */
export const FormError = ({ error }) => {
  const own = useRef()
  useEffect(() => {
    if (!error) return
    const bad = own.current?.closest('form')?.querySelector('[aria-invalid="true"]')
    if (bad) bad.focus()
    else own.current?.focus()
  }, [error])
  return html`<div ref=${own} tabindex="-1" class="form-error" role="alert">
    ${error && html`<p class="notice bad">${error.text}</p>`}
  </div>`
}

/** A button of a form, which says that it is busy. */
export const SubmitButton = ({ isBusy, busy, size = '', children }) => {
  const { t } = useShop()
  return html`<button class=${`button ${size}`} aria-disabled=${isBusy ? 'true' : undefined}>${isBusy ? (busy ?? t.loading) : children}</button>`
}

/**
 * A form. `check` returns sentences by field, `send` submits the values. `children` is a function of
 * `{ value, errors, change }`.
 */
export const SendingForm = ({ first = {}, check, send, button, children, after }) => {
  const { t } = useShop()
  const [value, setValue] = useState(first)
  const [errors, setErrors] = useState({})
  const [isBusy, setBusy] = useState(false)
  const change = changed => {
    setErrors(stillWrong(errors, value, changed))
    setValue(changed)
  }
  const submit = async event => {
    event.preventDefault()
    if (isBusy) return
    const bad = check(value)
    if (Object.keys(bad).length > 0) return setErrors({ ...bad, form: { text: t.form.check } })
    setBusy(true)
    try {
      setErrors({})
      await send(value)
    } catch (failure) {
      setErrors({ ...fieldSentences(failure, t), form: { text: sentenceOf(failure, t) } })
    }
    setBusy(false)
  }
  return html`<form novalidate onSubmit=${submit}>
    <${FormError} error=${errors.form} />
    ${children({ value, errors, change })}
    <p class="buttons"><${SubmitButton} isBusy=${isBusy}>${button}<//></p>
    ${after}
  </form>`
}
