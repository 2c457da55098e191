import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { sentenceOf } from '../errors.js'
import { Heading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** The page that the mail of a registration leads to. A press of the button confirms: programs that look at links do not. */
export const View = () => {
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
  if (state.isDone)
    return html`<div class="narrow"><${Heading} title=${t.account.activated} key="done" isNews />
      <p class="lead" role="status">${t.account.activatedLead}</p>
      <p><a class="button" href=${pathOf('signIn')}>${t.account.signIn}</a></p></div>`
  return html`<div class="narrow"><${Heading} title=${t.account.activate} />
    ${state.error && html`<p class="notice bad" role="alert">${state.error}</p>`}
    <p><button type="button" class="button" aria-disabled=${state.isBusy ? 'true' : undefined} onClick=${activate}
      >${state.isBusy ? t.account.activating : t.account.activate}</button></p></div>`
}
