import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { DemoMail, SendingForm } from '../parts/account.js'
import { Field, missingIn } from '../parts/form.js'
import { Heading } from '../parts/states.js'

/** Sends a link to whoever forgot the password. */
export const View = () => {
  const { t } = useShop()
  const [isSent, setSent] = useState(false)
  const send = async ({ mail }) => {
    await post('account/forgot', { mail })
    setSent(true)
  }
  return html`<div class="narrow">
    <${Heading} title=${t.account.forgotTitle} />
    ${
      isSent
        ? html`<p class="lead" role="status">${t.account.linkSent}</p><${DemoMail} />`
        : html`<p class="lead">${t.account.forgotLead}</p>
          <${SendingForm} button=${t.account.sendLink} send=${send} check=${value => missingIn(value, ['mail'], t)}>
            ${(value, errors, setValue) => html`
              <${Field} name="mail" type="email" autocomplete="email" isRequired value=${value.mail} error=${errors.mail}
                onInput=${mail => setValue({ mail })} />`}
          <//>`
    }
  </div>`
}
