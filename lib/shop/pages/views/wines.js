import { html, useEffect, useRef, useState } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { arrive, useLoad, useShop } from '../context.js'
import { Chosen, Facets } from '../parts/facets.js'
import { NoHits } from '../parts/no-hits.js'
import { Failed, Heading, Loading } from '../parts/states.js'
import { WineCard } from '../parts/wine.js'
import { asUnderstood, pageNumbers, readQuery, sorts, writeQuery } from '../query.js'
import { pathOf } from '../router.js'

const Sort = ({ query, onChange }) => {
  const { t } = useShop()
  return html`<div class="sort">
    <label for="sort">${t.list.sort}</label>
    <select id="sort" value=${query.sort} onChange=${event => onChange({ ...query, page: 1, sort: event.target.value })}>
      ${sorts.map(sort => html`<option value=${sort} selected=${sort === query.sort}>${t.list.sorts[sort]}</option>`)}
    </select>
  </div>`
}

const Pages = ({ pages: { current, total }, query }) => {
  const { t } = useShop()
  if (total < 2) return null
  const to = page => pathOf('wines') + writeQuery({ ...query, page })
  return html`<nav class="pages" aria-label=${t.list.pages}>
    ${current > 1 && html`<a class="step" rel="prev" href=${to(current - 1)} aria-label=${t.list.previous}>←</a>`}
    <ul>
      ${pageNumbers(current, total).map(n =>
        n === 0
          ? html`<li aria-hidden="true">…</li>`
          : html`<li><a href=${to(n)} aria-label=${t.list.page(n)} aria-current=${n === current ? 'page' : undefined}>${n}</a></li>`,
      )}
    </ul>
    ${current < total && html`<a class="step" rel="next" href=${to(current + 1)} aria-label=${t.list.next}>→</a>`}
  </nav>`
}

const Results = ({ data, query, q, onChange, isLoading, filterButton }) => {
  const { t } = useShop()
  const { wines, total, pages } = data
  return html`<div class="results" aria-busy=${isLoading ? 'true' : 'false'}>
    <div class="results-head">
      <h2 id="results" tabindex="-1">${t.list.found(total)}${pages.current <= pages.total && pages.total > 1 && html`<small> · ${t.list.pageOf(pages.current, pages.total)}</small>`}</h2>
      ${filterButton}
      <${Sort} query=${query} onChange=${onChange} />
    </div>
    ${q && q !== query.q && html`<p class="understood">${t.search.understood(q, query.q)}</p>`}
    <${Chosen} query=${query} wines=${wines} onChange=${onChange} />
    ${
      wines.length === 0
        ? html`<${NoHits} data=${data} query=${query} q=${q} />`
        : html`<ul class="cards" aria-labelledby="results">
            ${wines.map((wine, n) => html`<li key=${wine.id}><${WineCard} wine=${wine} eager=${n < 6} /></li>`)}
          </ul>`
    }
    ${wines.length > 0 && html`<${Pages} pages=${pages} query=${query} />`}
    <p class="small">${t.list.prices} <a href=${pathOf('shipping')}>${t.price.plusShipping}</a></p>
  </div>`
}

const narrow = matchMedia('(max-width: 56rem)')

const useNarrow = () => {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const change = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', change)
    return () => narrow.removeEventListener('change', change)
  }, [])
  return isNarrow
}

/** The facets on a phone, in a modal dialog; the list changes behind it. */
const FilterSheet = ({ total, onClose, children }) => {
  const { t } = useShop()
  const own = useRef()
  useEffect(() => own.current.showModal(), [])
  const close = () => own.current.close()
  return html`<dialog class="filter-sheet" ref=${own} aria-labelledby="filter-title" onClose=${onClose}>
    <div class="filter-head">
      <h2 id="filter-title">${t.list.filter}</h2>
      <button type="button" class="close" aria-label=${t.list.close} onClick=${close}>×</button>
    </div>
    <div class="filter-body">${children}</div>
    <p class="filter-foot" aria-live="polite"><button type="button" class="button wide" onClick=${close}>${t.list.show(total)}</button></p>
  </dialog>`
}

const Wines = () => {
  const shop = useShop()
  const { t, at, go, announce } = shop
  const [isOpen, setOpen] = useState(false)
  const asked = readQuery(at.search)
  const address = writeQuery(asked)
  const load = async signal => {
    const { chosen, q, sort, page } = asked
    return { ...(await get('wines', { ...chosen, q, sort, page }, signal)), address }
  }
  const { data, error, isLoading, reload } = useLoad(`wines${address}`, load)
  // `data` may still be the former list, with the filters of another query.
  const query = data?.address === address ? asUnderstood(asked, data.understood) : asked
  const announced = useRef()
  useEffect(() => {
    if (!data || isLoading) return
    // The first list needs no announcement.
    if (announced.current && announced.current !== data) announce(t.list.found(data.total))
    announced.current = data
    arrive(shop, document.getElementById('results'))
  }, [data, isLoading])
  const change = wanted => go(pathOf('wines') + writeQuery(wanted), { stay: true })
  const chosen = Object.values(query.chosen).flat().length
  const isNarrow = useNarrow()
  const facets =
    data && html`<${Facets} counts=${data.counts} priceBands=${data.priceBands} query=${query} onChange=${change} />`
  const filterButton =
    isNarrow &&
    html`<button type="button" class="button quiet" aria-haspopup="dialog" onClick=${() => setOpen(true)}>${t.list.filterWith(chosen)}</button>`
  return html`<${Heading} title=${t.list.title} />
    <div class="list">
      <div class="list-side">
        ${!isNarrow && html`<div class="filter" role="group" aria-label=${t.list.filter}>${facets}</div>`}
      </div>
      ${error && html`<${Failed} error=${error} retry=${reload} />`}
      ${!error && !data && html`<${Loading} />`}
      ${
        !error &&
        data &&
        html`<${Results} data=${data} query=${query} q=${asked.q} onChange=${change} isLoading=${isLoading} filterButton=${filterButton} />`
      }
    </div>
    ${isNarrow && isOpen && data && html`<${FilterSheet} total=${data.total} onClose=${() => setOpen(false)}>${facets}<//>`}`
}

export const views = { wines: Wines }
