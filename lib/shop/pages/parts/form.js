import { html, useEffect, useRef } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'

/** The countries that the shop delivers to. */
const countries = ['de', 'at']

const Message = ({ id, text }) => (text ? html`<p class="field-error" id=${id}>${text}</p>` : null)

/** A labelled input; `error` is what is wrong with it. The name of the field is that of the record. */
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

/** The fields of an address. `value` is the address, `errors` what is wrong by field; `kind` is billing or shipping. */
export const AddressFields = ({ kind, value, errors, onChange, withContact = true }) => {
  const { labels, t } = useShop()
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
    <${Select} name="countrycode" id=${`${kind}-countrycode`} value=${value.countrycode ?? 'de'} error=${errors.countrycode}
      autocomplete=${`${kind} country`} options=${countries.map(code => [code, labels.countries[code]])}
      onInput=${code => onChange({ ...value, countrycode: code })} />
    ${withContact && html`<${Field} ...${bind('phone')} type="tel" />`}
  </div>`
}

/** The fields of an address that must be filled in. */
export const requiredFields = ['first_name', 'last_name', 'address', 'zip', 'city']

/** What is missing of what must be filled in, as sentences by field. */
export const missingIn = (value, names, t) =>
  Object.fromEntries(names.filter(name => !value[name]?.trim()).map(name => [name, t.errors.rules.required]))

/** An address as lines. */
const addressLines = (address, labels) =>
  address
    ? [
        address.company,
        [address.first_name, address.last_name].filter(Boolean).join(' '),
        address.address,
        address.address_supplement,
        `${address.zip ?? ''} ${address.city ?? ''}`.trim(),
        labels.countries[address.countrycode],
      ].filter(Boolean)
    : []

/** An address, one line below the other. */
export const AddressText = ({ address }) => {
  const { labels } = useShop()
  return html`<address>${addressLines(address, labels).map(line => html`<span>${line}</span><br />`)}</address>`
}

/** What is wrong with a form as a whole; the first bad field takes the focus whenever `error` is another one. */
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
