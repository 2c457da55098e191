import { html, useEffect, useRef } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { arrive, useLoad, useShop, useTitle } from '../context.js'
import { sentenceOf } from '../errors.js'

export const Loading = () => {
  const { t } = useShop()
  return html`<p class="loading" role="status">${t.loading}</p>`
}

export const Failed = ({ error, retry }) => {
  const { t } = useShop()
  return html`<div class="notice bad" role="alert">
    <p><strong>${sentenceOf(error, t)}</strong></p>
    ${error.requestId && html`<p class="small">${t.errors.request(error.requestId)}</p>`}
    ${retry && html`<button type="button" class="button quiet" onClick=${retry}>${t.retry}</button>`}
  </div>`
}

/** Loads the data of a page, from the shop's server unless `load` is given; `instead` is shown until there is data. */
export const usePageData = (key, load = signal => get(key, {}, signal)) => {
  const loaded = useLoad(key, load)
  const { data, error, reload } = loaded
  const instead = error ? html`<${Failed} error=${error} retry=${reload} />` : !data && html`<${Loading} />`
  return { ...loaded, instead }
}

/**
 * The heading and title of a page. It takes the focus after a navigation, so that it is read out; with `isNews` also when it
 * replaces another heading of the same page.
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

/** A short page: a heading, a sentence, and a link as a button. */
export const Message = ({ title, lead, href, link, isNews = false }) => html`
  <${Heading} key=${title} title=${title} isNews=${isNews} />
  ${lead && html`<p class="lead" role=${isNews ? 'status' : undefined}>${lead}</p>`}
  <p><a class="button" href=${href}>${link}</a></p>`

/** Terms with their values, without those that are empty. */
export const Definitions = ({ rows }) => html`<dl>
  ${rows.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`
