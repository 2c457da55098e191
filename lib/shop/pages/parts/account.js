import { html, useState } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { fieldSentences, sentenceOf, stillWrong } from '../errors.js'
import { pathOf } from '../router.js'
import { FormError } from './form.js'

const leastLength = 8

/** What is wrong with a new password that is typed twice, by field. */
export const passwordErrors = ({ password = '', password_repeat = '' }, t) => ({
  ...(password.length < leastLength && { password: t.form.passwordShort }),
  ...(password !== password_repeat && { password_repeat: t.form.passwordsDiffer }),
})

/**
 * A form that sends something: `check` says what is wrong before, by field, and `send` sends. `children` is given the
 * values, the errors and what changes a value.
 */
export const SendingForm = ({ first = {}, check = () => ({}), send, button, children, after }) => {
  const { t } = useShop()
  const [value, setValue] = useState(first)
  const [errors, setErrors] = useState({})
  const [isBusy, setBusy] = useState(false)
  const change = after => {
    setErrors(stillWrong(errors, value, after))
    setValue(after)
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
    ${children(value, errors, change)}
    <p class="buttons"><button class="button" aria-disabled=${isBusy ? 'true' : undefined}>${isBusy ? t.loading : button}</button></p>
    ${after}
  </form>`
}

/** Where mails are, in a demo that sends none. */
export const DemoMail = () => {
  const { t } = useShop()
  return html`<div class="notice"><p>${t.account.demoMail} <a href=${pathOf('mailbox')}>${t.mailbox.title}</a>.</p></div>`
}
