import { escapeMarkup } from '../../values/markup.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number

const htmlOf = (part: Part): string => (part instanceof Html ? part.text : escapeMarkup(String(part)))

/** A template of HTML: all values but Html are escaped, those of a list follow one another. */
export const html = (texts: TemplateStringsArray, ...values: readonly (Part | readonly Part[])[]): Html =>
  new Html(String.raw({ raw: texts }, ...values.map(value => [value].flat().map(htmlOf).join(''))))

/** Joins parts with a separator. */
export const joinParts = (parts: readonly Part[], separator: string): Html =>
  new Html(parts.map(htmlOf).join(htmlOf(separator)))

/** Fills the places `{name}` of a term; the term and texts are escaped. */
export const filledIn = (term: string, values: Readonly<Record<string, Part>>): Html =>
  new Html(htmlOf(term).replaceAll(/\{(\w+)\}/g, (place, name) => htmlOf(values[name] ?? place)))
