import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { countriesOf } from '../names.js'
import { AddressFields, Field, missingIn, requiredFields, SendingForm } from '../parts/form.js'
import { Heading, Message } from '../parts/states.js'
import { pathOf } from '../router.js'

const minPassword = 8

const passwordErrors = ({ password = '', password_repeat = '' }, t) => ({
  ...(password.length < minPassword && { password: t.form.passwordShort }),
  ...(password !== password_repeat && { password_repeat: t.form.passwordsDiffer }),
})

const Mail = ({ value, errors, change }) => html`<${Field} name="mail" type="email" autocomplete="email" isRequired
  value=${value.mail} error=${errors.mail} onInput=${mail => change({ ...value, mail })} />`

const Password = ({
  value,
  errors,
  change,
  name = 'password',
  autocomplete = 'new-password',
  ...rest
}) => html`<${Field}
  name=${name} type="password" autocomplete=${autocomplete} isRequired value=${value[name]} error=${errors[name]}
  onInput=${text => change({ ...value, [name]: text })} ...${rest} />`

const NewPassword = form => {
  const { t } = useShop()
  return html`<${Password} ...${form} hint=${t.form.passwordHint} /><${Password} ...${form} name="password_repeat" />`
}

const DemoMail = () => {
  const { t } = useShop()
  return html`<div class="notice"><p>${t.account.demoMail} <a href=${pathOf('mailbox')}>${t.mailbox.title}</a>.</p></div>`
}

const ToSignIn = ({ title, lead }) => {
  const { t } = useShop()
  return html`<div class="narrow">
    <${Message} title=${title} lead=${lead} isNews href=${pathOf('signIn')} link=${t.account.signIn} /></div>`
}

const SignIn = () => {
  const { t, at, go, reloadSession } = useShop()
  const send = async ({ mail, password }) => {
    await post('account/sign-in', { mail, password })
    await reloadSession()
    go(pathOf(at.search === '?to=checkout' ? 'checkout' : 'account'))
  }
  return html`<div class="narrow">
    <${Heading} title=${t.account.signIn} />
    <p class="lead">${t.account.signInLead}</p>
    <${SendingForm} button=${t.account.signIn} send=${send} check=${value => missingIn(value, ['mail', 'password'], t)}
      after=${html`<p><a href=${pathOf('forgot')}>${t.account.forgot}</a></p>
        <p>${t.account.noAccount} <a href=${pathOf('register')}>${t.account.register}</a></p>`}>
      ${form => html`<${Mail} ...${form} /><${Password} ...${form} autocomplete="current-password" />`}
    <//>
  </div>`
}

const Register = () => {
  const shop = useShop()
  const { t } = shop
  const [isSent, setSent] = useState(false)
  if (isSent)
    return html`<div class="narrow"><${Heading} title=${t.account.registered} key="sent" isNews />
      <p class="lead" role="status">${t.account.registeredLead}</p><${DemoMail} /></div>`
  const check = value => ({ ...missingIn(value, ['mail', ...requiredFields], t), ...passwordErrors(value, t) })
  const send = async ({ password_repeat: _, ...data }) => {
    await post('account/register', { countrycode: countriesOf(shop)[0][0], ...data })
    scrollTo(0, 0)
    setSent(true)
  }
  return html`<div class="form-page">
    <${Heading} title=${t.account.register} />
    <p class="lead">${t.account.registerLead}</p>
    <div class="panel">
      <${SendingForm} button=${t.account.register} send=${send} check=${check}>
        ${form => html`<${Mail} ...${form} />
          <div class="fields"><${NewPassword} ...${form} /></div>
          <${AddressFields} kind="billing" value=${form.value} errors=${form.errors} onChange=${form.change} />`}
      <//>
    </div>
  </div>`
}

/** The page of the link in the mail. Only the button confirms, because mail scanners open links. */
const Activate = () => {
  const { t, at } = useShop()
  const [state, setState] = useState({})
  const activate = async () => {
    setState({ isBusy: true })
    try {
      await post('account/activate', { hash: at.hash.slice(1) })
      setState({ isDone: true })
    } catch (error) {
      setState({ error: sentenceOf(error, t) })
    }
  }
  if (state.isDone) return html`<${ToSignIn} title=${t.account.activated} lead=${t.account.activatedLead} />`
  return html`<div class="narrow"><${Heading} title=${t.account.activate} />
    ${state.error && html`<p class="notice bad" role="alert">${state.error}</p>`}
    <p><button type="button" class="button" aria-disabled=${state.isBusy ? 'true' : undefined} onClick=${activate}
      >${state.isBusy ? t.account.activating : t.account.activate}</button></p></div>`
}

const Forgot = () => {
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
            ${form => html`<${Mail} ...${form} />`}
          <//>`
    }
  </div>`
}

/** Sets a new password: the page of the link in the mail. */
const Reset = () => {
  const { t, at, reloadSession } = useShop()
  const [isSet, setSet] = useState(false)
  const send = async ({ password }) => {
    await post('account/reset', { hash: at.hash.slice(1), password })
    setSet(true)
    reloadSession()
  }
  if (isSet) return html`<${ToSignIn} key="set" title=${t.account.reset} lead=${t.account.passwordSet} />`
  return html`<div class="narrow">
    <${Heading} title=${t.account.reset} />
    <${SendingForm} button=${t.account.setPassword} send=${send} check=${value => passwordErrors(value, t)}>
      ${form => html`<${NewPassword} ...${form} />`}
    <//>
  </div>`
}

export const views = { signIn: SignIn, register: Register, activate: Activate, forgot: Forgot, reset: Reset }
