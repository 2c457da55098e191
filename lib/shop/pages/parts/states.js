import { html, useEffect, useRef } from '/shop/vendor/preact.js'
import { arrive, useShop, useTitle } from '../context.js'
import { sentenceOf } from '../errors.js'

/** Says that something is on its way. */
export const Loading = () => {
  const { t } = useShop()
  return html`<p class="loading" role="status">${t.loading}</p>`
}

/** Says what failed, and offers to try again. */
export const Failed = ({ error, retry }) => {
  const { t } = useShop()
  return html`<div class="notice bad" role="alert">
    <p><strong>${sentenceOf(error, t)}</strong></p>
    ${error.requestId && html`<p class="small">${t.errors.request(error.requestId)}</p>`}
    ${retry && html`<button type="button" class="button quiet" onClick=${retry}>${t.retry}</button>`}
  </div>`
}

/**
 * The heading of a page and its title. After a change of the page it takes the focus, so that it is read out; with `isNews`
 * also where it takes the place of another on the same page.
 */
export const Heading = ({ title, children, isNews = false, ...rest }) => {
  const shop = useShop()
  const own = useRef()
  useTitle(title)
  useEffect(() => {
    if (isNews) own.current.focus({ preventScroll: true })
    arrive(shop, own.current)
  }, [])
  return html`<h1 tabindex="-1" ref=${own} ...${rest}>${children ?? title}</h1>`
}
