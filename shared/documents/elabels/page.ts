import { createHash } from 'node:crypto'
import { type LabelLanguage, labelLanguages, packagingMaterials } from '../../contract/labels/label-tables.ts'
import type { Label } from '../../contract/records/facts.ts'
import { filledIn, Html, html } from './html.ts'
import { ingredientList, type Shown } from './ingredients.ts'
import { type Terms, termsIn } from './terms.ts'

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h1,td,dd,li,p{overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1.5rem 0 .25rem}
p,ul{margin:.25rem 0}
ul{padding-left:1.2rem}
b{text-decoration:underline}
dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1rem;margin:0}
dd{margin:0}
table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #888;padding:.3rem 0;text-align:left;font-weight:400;vertical-align:top}
td,thead th{text-align:right;padding-left:1rem;white-space:nowrap}
.part{padding-left:1rem}
nav{margin-top:2rem;border-top:1px solid #888;padding-top:1rem}
nav ul{display:flex;flex-wrap:wrap;gap:0 1rem;list-style:none;padding:0}
nav a{display:inline-block;padding:.4rem 0;color:inherit}
[aria-current]{font-weight:700}`

/** The content security policy of the page: its own style, and nothing else. */
export const labelPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (language: LabelLanguage, title: string, content: Html): string =>
  `<!doctype html>\n${
    html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Html(style)}</style></head><body>${content}</body></html>`
      .text
  }\n`

const menu = (current: LabelLanguage): Html =>
  html`<nav><ul>${labelLanguages.map(
    one =>
      html`<li><a href="?lang=${one}" lang="${one}" hreflang="${one}"${
        one === current ? new Html(' aria-current="page"') : ''
      }>${termsIn(one).language}</a></li>`,
  )}</ul></nav>`

const numberIn = (language: LabelLanguage, value: string | number): string =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 3 }).format(Number(value))

const sizeIn = (language: LabelLanguage, litres: string): string =>
  Number(litres) < 1 ? `${numberIn(language, Number(litres) * 1000)} ml` : `${numberIn(language, litres)} l`

const product = ({ label, language, terms }: Shown): Html => {
  const { vintage, alcohol, quantity, origin } = terms.product
  const country = new Intl.DisplayNames([language], { type: 'region' }).of(label.countrycode.toUpperCase())
  const rows: [name: string, value: string | number | null | undefined][] = [
    [vintage, label.vintage],
    [origin, country],
    [alcohol, label.alcohol && `${numberIn(language, label.alcohol)} % vol`],
    [quantity, sizeIn(language, label.bottlesize)],
  ]
  const type = terms.types[label.type as keyof Terms['types']] ?? ''
  return html`<h1 lang="${label.language}" dir="auto">${label.name}</h1><p>${type}</p><dl>${rows.map(([name, value]) =>
    value === null || value === undefined ? '' : html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>`
}

// A row below the energy: the second of two is a part of the first.
const nutrients = [['fat', 'saturates'], ['carbohydrate', 'sugars'], ['protein'], ['salt']] as const

const nutrition = ({ label, language, terms }: Shown): Html | string => {
  const { kj, kcal, negligible, ...grams } = label.nutrition
  if (kj === null || kcal === null) return ''
  const energy = `${numberIn(language, kj)} kJ / ${numberIn(language, kcal)} kcal`
  const rows = nutrients.flatMap(names =>
    names.map((name, n) => {
      const amount = grams[name]
      if (amount === null || negligible.includes(name)) return ''
      const head = html`<th scope="row"${n > 0 ? new Html(' class="part"') : ''}>${terms.nutrients[name]}</th>`
      return html`<tr>${head}<td>${numberIn(language, amount)} g</td></tr>`
    }),
  )
  const { pair, per_100_ml, negligible: sentence } = terms.sentences
  const list = new Intl.ListFormat(language).format(negligible.map(name => terms.amounts[name]))
  return html`<h2>${terms.headings.nutrition}</h2><table><thead><tr><td></td><th scope="col">${per_100_ml}</th></tr></thead><tbody><tr><th scope="row">${terms.nutrients.energy}</th><td>${energy}</td></tr>${rows}</tbody></table>${
    negligible.length > 0 ? html`<p>${filledIn(sentence, { list })}</p>` : ''
  }<p>${filledIn(pair, { name: 'E (100 ml)', value: energy })}</p>`
}

const recyclingSection = ({ label, terms }: Shown): Html | string => {
  if (label.packaging.length === 0) return ''
  const { pair, local_rules } = terms.sentences
  const parts = label.packaging.map(({ part, material }) => {
    const value = `${terms.collections[packagingMaterials[material]]} (${material})`
    return html`<li>${filledIn(pair, { name: terms.parts[part], value })}</li>`
  })
  return html`<h2>${terms.headings.recycling}</h2><ul>${parts}</ul><p>${local_rules}</p>`
}

const operator = ({ label, terms }: Shown): Html | string => {
  if (label.operator === null) return ''
  const { role, name, address } = label.operator
  const value = html`<bdi>${name}</bdi>, <bdi>${address}</bdi>`
  return html`<h2>${terms.headings.operator}</h2><p>${filledIn(terms.sentences.pair, { name: terms.roles[role], value })}</p>`
}

/** Returns the page of a label in any of the 24 languages. */
export const labelPage = (label: Label, language: LabelLanguage): string => {
  const terms = termsIn(language)
  const shown = { label, language, terms }
  const ingredients =
    label.ingredients.length > 0 ? html`<h2>${terms.headings.ingredients}</h2>${ingredientList(shown)}` : ''
  const title = [label.name, label.vintage].filter(part => part !== null).join(' ')
  const parts = [product(shown), ingredients, nutrition(shown), recyclingSection(shown), operator(shown)]
  return page(language, title, html`<main>${parts}</main>${menu(language)}`)
}

/** Returns the page in place of a label that does not exist or was withdrawn. */
export const missingPage = (language: LabelLanguage, sentence: 'not_found' | 'withdrawn'): string => {
  const text = termsIn(language).sentences[sentence]
  return page(language, text, html`<main><h1>${text}</h1></main>`)
}
