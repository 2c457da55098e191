import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { DemoMail, passwordErrors, SendingForm } from '../parts/account.js'
import { AddressFields, Field, missingIn, requiredFields } from '../parts/form.js'
import { Heading } from '../parts/states.js'

/** Registers a client, whose account waits for the mail to be confirmed. */
export const View = () => {
  const { t } = useShop()
  const [isSent, setSent] = useState(false)
  if (isSent)
    return html`<div class="narrow"><${Heading} title=${t.account.registered} key="sent" isNews />
      <p class="lead" role="status">${t.account.registeredLead}</p><${DemoMail} /></div>`
  const check = value => ({ ...missingIn(value, ['mail', ...requiredFields], t), ...passwordErrors(value, t) })
  const send = async ({ password_repeat: _, ...data }) => {
    await post('account/register', { countrycode: 'de', ...data })
    scrollTo(0, 0)
    setSent(true)
  }
  return html`<div class="form-page">
    <${Heading} title=${t.account.register} />
    <p class="lead">${t.account.registerLead}</p>
    <div class="panel">
      <${SendingForm} button=${t.account.register} send=${send} check=${check}>
        ${(value, errors, setValue) => html`
          <${Field} name="mail" type="email" autocomplete="email" isRequired value=${value.mail} error=${errors.mail}
            onInput=${mail => setValue({ ...value, mail })} />
          <div class="fields">
            <${Field} name="password" type="password" autocomplete="new-password" isRequired value=${value.password}
              error=${errors.password} hint=${t.form.passwordHint} onInput=${password => setValue({ ...value, password })} />
            <${Field} name="password_repeat" type="password" autocomplete="new-password" isRequired value=${value.password_repeat}
              error=${errors.password_repeat} onInput=${again => setValue({ ...value, password_repeat: again })} />
          </div>
          <${AddressFields} kind="billing" value=${value} errors=${errors} onChange=${setValue} />`}
      <//>
    </div>
  </div>`
}
