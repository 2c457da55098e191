import { html, useState } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { toggleValue } from '../query.js'
import { typeName } from './wine.js'

const maxShort = 7

export const valueName = (facet, value, shop, country) => {
  const { t, labels, format } = shop
  if (facet === 'type') return typeName(value, shop)
  if (facet === 'priceBand') {
    // Such as 10-15 or 50-.
    const [from, to] = value.split('-')
    return t.list.band(Number(from) && format.euros(from), to && format.euros(to))
  }
  if (facet === 'countrycode') return labels.countries[value] ?? value
  if (facet === 'region') return labels.wineregions[country]?.[value] ?? value
  if (facet === 'grapetypeIds') return labels.grapetypes[value]?.name ?? value
  if (facet === 'taste_id') return labels.tastes[value] ?? value
  if (facet === 'quality') return labels.qualitytypes[country]?.[value] ?? value
  return facet === 'bio' || facet === 'vegan' ? t.list[facet] : value
}

/** The values of a facet with their counts, the most frequent or youngest first; chosen values are always shown. */
const valuesOf = (facet, counts, chosen) => {
  const values = Object.entries(counts ?? {})
  const missing = chosen.filter(value => !(value in (counts ?? {}))).map(value => [value, 0])
  const all = [...values, ...missing]
  if (facet === 'priceBand') return all.filter(([value, count]) => count > 0 || chosen.includes(value))
  if (facet === 'vintage') return all.sort(([one], [other]) => Number(other) - Number(one))
  return all.sort(([, one], [, other]) => other - one)
}

const Choice = ({ facet, value, count, query, onChange, country }) => {
  const shop = useShop()
  const isChosen = (query.chosen[facet] ?? []).includes(value)
  return html`<li>
    <label class="choice">
      <input type="checkbox" checked=${isChosen} onChange=${() => onChange(toggleValue(query, facet, value))} />
      <span>${valueName(facet, value, shop, country)} <small>(${shop.format.number(count)})</small></span>
    </label>
  </li>`
}

const Facet = ({ facet, counts, query, onChange, country }) => {
  const { t } = useShop()
  const [isLong, setLong] = useState(false)
  const chosen = query.chosen[facet] ?? []
  const values = valuesOf(facet, counts, chosen)
  if (values.length === 0) return null
  const shown = isLong
    ? values
    : values.filter(([value], n) => n < maxShort || chosen.includes(value) || values.length === maxShort + 1)
  return html`<fieldset class="facet">
    <legend>${t.list.facets[facet]}</legend>
    <ul>
      ${shown.map(
        ([value, count]) => html`<${Choice} key=${value} facet=${facet} value=${value} count=${count} query=${query}
          onChange=${onChange} country=${country} />`,
      )}
    </ul>
    ${
      (shown.length < values.length || isLong) &&
      html`<button type="button" class="link" aria-expanded=${isLong ? 'true' : 'false'} onClick=${() => setLong(!isLong)}
        >${isLong ? t.list.fewer : t.list.more(values.length)}<span class="visually-hidden">: ${t.list.facets[facet]}</span></button>`
    }
  </fieldset>`
}

const Features = ({ counts, query, onChange }) => {
  const { t } = useShop()
  const features = ['bio', 'vegan'].filter(name => counts[name]?.[1] || query.chosen[name])
  if (features.length === 0) return null
  return html`<fieldset class="facet">
    <legend>${t.list.facets.features}</legend>
    <ul>
      ${features.map(
        name => html`<${Choice} key=${name} facet=${name} value="1" count=${counts[name]?.[1] ?? 0} query=${query}
          onChange=${onChange} />`,
      )}
    </ul>
  </fieldset>`
}

/** The facets of the list. Regions are shown only within one country. */
export const Facets = ({ counts, priceBands, query, onChange }) => {
  const [country, second] = query.chosen.countrycode ?? []
  const regions = country && !second ? ['region'] : []
  const facets = ['type', 'priceBand', 'countrycode', ...regions, 'grapetypeIds', 'taste_id', 'vintage']
  const all = { ...counts, priceBand: Object.fromEntries(priceBands.map(({ band, count }) => [band, count])) }
  return html`${facets.map(
    facet => html`<${Facet} key=${facet} facet=${facet} counts=${all[facet]} query=${query} onChange=${onChange}
      country=${country} />`,
  )}
  <${Features} counts=${counts} query=${query} onChange=${onChange} />`
}

/** The chosen values, each with a button that removes it. */
export const Chosen = ({ query, wines, onChange }) => {
  const shop = useShop()
  const { t } = shop
  const [country] = query.chosen.countrycode ?? []
  const chosen = Object.entries(query.chosen).flatMap(([facet, values]) => values.map(value => [facet, value]))
  if (chosen.length === 0) return null
  const change = wanted => {
    onChange(wanted)
    // The pressed button disappears.
    document.getElementById('results')?.focus({ preventScroll: true })
  }
  return html`<ul class="chosen" aria-label=${t.list.chosen}>
    ${chosen.map(([facet, value]) => {
      // The name of a winery is only part of its wines.
      const name =
        facet === 'winery_id'
          ? (wines[0]?.winery?.name ?? t.list.facets.winery_id)
          : valueName(facet, value, shop, country)
      return html`<li>
        <button type="button" class="chip" aria-label=${t.list.remove(name)} onClick=${() => change(toggleValue(query, facet, value))}
          >${name}<span aria-hidden="true"> ×</span></button>
      </li>`
    })}
    <li><button type="button" class="link" onClick=${() => change({ ...query, page: 1, chosen: {} })}>${t.list.removeAll}</button></li>
  </ul>`
}
