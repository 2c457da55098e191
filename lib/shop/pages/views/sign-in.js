import { html } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { SendingForm } from '../parts/account.js'
import { Field, missingIn } from '../parts/form.js'
import { Heading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** Signs a client in. */
export const View = () => {
  const { t, at, go, reloadSession } = useShop()
  const send = async ({ mail, password }) => {
    await post('account/sign-in', { mail, password })
    await reloadSession()
    // Whoever was on the way to order goes on there.
    go(pathOf(at.search === '?to=checkout' ? 'checkout' : 'account'))
  }
  return html`<div class="narrow">
    <${Heading} title=${t.account.signIn} />
    <p class="lead">${t.account.signInLead}</p>
    <${SendingForm} button=${t.account.signIn} send=${send} check=${value => missingIn(value, ['mail', 'password'], t)}
      after=${html`<p><a href=${pathOf('forgot')}>${t.account.forgot}</a></p>
        <p>${t.account.noAccount} <a href=${pathOf('register')}>${t.account.register}</a></p>`}>
      ${(value, errors, setValue) => html`
        <${Field} name="mail" type="email" autocomplete="email" isRequired value=${value.mail} error=${errors.mail}
          onInput=${mail => setValue({ ...value, mail })} />
        <${Field} name="password" type="password" autocomplete="current-password" isRequired value=${value.password}
          error=${errors.password} onInput=${password => setValue({ ...value, password })} />`}
    <//>
  </div>`
}
