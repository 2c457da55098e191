import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { passwordErrors, SendingForm } from '../parts/account.js'
import { Field } from '../parts/form.js'
import { Heading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** The page that the mail for a forgotten password leads to. */
export const View = () => {
  const { t, at, reloadSession } = useShop()
  const [isSet, setSet] = useState(false)
  const send = async ({ password }) => {
    await post('account/reset', { hash: at.hash.slice(1), password })
    setSet(true)
    reloadSession()
  }
  if (isSet)
    return html`<div class="narrow"><${Heading} title=${t.account.reset} key="set" isNews />
      <p class="lead" role="status">${t.account.passwordSet}</p>
      <p><a class="button" href=${pathOf('signIn')}>${t.account.signIn}</a></p></div>`
  return html`<div class="narrow">
    <${Heading} title=${t.account.reset} />
    <${SendingForm} button=${t.account.setPassword} send=${send} check=${value => passwordErrors(value, t)}>
      ${(value, errors, setValue) => html`
        <${Field} name="password" type="password" autocomplete="new-password" isRequired value=${value.password}
          error=${errors.password} hint=${t.form.passwordHint} onInput=${password => setValue({ ...value, password })} />
        <${Field} name="password_repeat" type="password" autocomplete="new-password" isRequired value=${value.password_repeat}
          error=${errors.password_repeat} onInput=${again => setValue({ ...value, password_repeat: again })} />`}
    <//>
  </div>`
}
