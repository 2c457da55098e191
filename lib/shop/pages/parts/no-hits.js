import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { without, writeQuery } from '../query.js'
import { pathOf } from '../router.js'
import { valueName } from './facets.js'

const to = query => pathOf('wines') + writeQuery(query)

const Without = ({ query, name, total }) => {
  const shop = useShop()
  const { t } = shop
  const [country] = query.chosen.countrycode ?? []
  const valuesOf = facet => (query.chosen[facet] ?? []).map(value => valueName(facet, value, shop, country)).join(', ')
  const named =
    name === 'q' ? t.search.quoted(query.q) : name === 'winery_id' ? t.list.facets.winery_id : valuesOf(name)
  return html`<li><a href=${to(without(query, name))}>${t.search.without(named)}</a> <small>(${t.list.found(total)})</small></li>`
}

/** Replaces an empty list: a page that does not exist, or no hits, with ways out. */
export const NoHits = ({ data, query, q }) => {
  const { t } = useShop()
  const { total, pages, help } = data
  if (total > 0)
    return html`<div class="notice">
      <p><strong>${t.search.noPage(pages.current)}</strong></p>
      <p><a href=${to({ ...query, page: pages.total })}>${t.search.lastPage(pages.total)}</a></p>
    </div>`
  const { spelling = null, without: drops = [] } = help ?? {}
  return html`<div class="notice">
    <p><strong>${q ? t.search.noneFor(q) : t.list.none}</strong></p>
    ${
      spelling &&
      html`<p>${t.search.spelling} <a href=${to({ q: spelling.q })}>${spelling.q}</a> <small>(${t.list.found(spelling.total)})</small></p>`
    }
    ${
      drops.length > 0 &&
      html`<p>${t.search.drop}</p>
      <ul class="drops">${drops.map(({ name, total }) => html`<${Without} query=${query} name=${name} total=${total} />`)}</ul>`
    }
    ${!spelling && drops.length === 0 && html`<p>${t.search.noHelp} <a class="arrow" href=${pathOf('wines')}>${t.start.browse}</a></p>`}
  </div>`
}
