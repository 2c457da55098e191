import type { Search } from '../../../shared/search/search-index.ts'
import { fold } from '../../../shared/values/text.ts'
import type { Corpus } from './corpus.ts'

/** A search for all contestants, with folded texts; in the default order by default. */
export type Asked = {
  title: string
  text?: string
  /** Folded texts that name and place must contain. */
  fields?: { name: string; place: string }
  country?: string
  byGross?: true
  /** From 1 on. */
  page?: number
}

/** The answer of a contestant: the number of hits, and the ids of the page in order. */
export type Found = { total: number; ids: number[] }

export const pageSize = 16

/** The number of hits before the page. */
export const skipped = ({ page = 1 }: Asked): number => (page - 1) * pageSize

/** The same for our index. */
export const searchOf = ({ text, fields, country, byGross, page = 1 }: Asked): Search => ({
  page,
  pageSize,
  ...(text !== undefined && { query: { anywhere: text } }),
  ...(fields && {
    query: {
      phrases: [
        { field: 'name', text: fields.name },
        { field: 'place', text: fields.place },
      ],
    },
  }),
  ...(country && { filter: [{ field: 'countrycode', keys: [country] }] }),
  ...(byGross && { order: [{ field: 'gross', descending: false }] }),
})

// Some that few terms hold, some that many do, and some that nearly every wine has.
const fragments = ['erg', 'bur', 'cab', 'cha', 'ing', 'lin', 'sch', 'wei', 'ein', 'und']

/** The classes of searches. Those that name a wine take it from the corpus of that size. */
export const classesOf = ({ wineOf }: Corpus, size: number): Asked[] => {
  const middle = wineOf(Math.floor(size * 0.6))
  // Long words are rare words.
  const words = Array.from(
    { length: 50 },
    (_, n) =>
      String(wineOf(size - 1 - n).name)
        .split(' ')
        .at(-1) ?? '',
  )
  const rare = words.reduce((longest, word) => (word.length > longest.length ? word : longest))
  const text = (title: string, asked: string, more: Partial<Asked> = {}) => ({ title, text: fold(asked), ...more })
  return [
    text('no hit', 'xqzjvy'),
    text('misspelt, no hit', 'rieslign'),
    text('rare word', rare),
    text('a grape: riesling', 'Riesling'),
    text('rotwein', 'Rotwein'),
    text('infix: burg', 'burg'),
    ...fragments.map(fragment => text(`three letters: ${fragment}`, fragment)),
    text('one letter: q', 'q'),
    text('two letters: rö', 'rö'),
    text('across words: aus cabernet', 'aus Cabernet'),
    text('70 characters', String(wineOf(2).description).slice(5, 75)),
    text('stop words: und mit', 'und mit'),
    text('stop words: " und mit "', ' und mit '),
    text('elegant und mit viel druck', 'elegant und mit viel Druck'),
    text('repeated: und mit viel Druck, elegant und mit', 'und mit viel Druck, elegant und mit'),
    text('across a border: n t', 'n t'),
    text('article number', String(middle.articlenumber)),
    { title: 'filter: country', country: 'at' },
    { title: 'all, default order' },
    text('riesling by gross', 'Riesling', { byGross: true }),
    { title: 'name + place', fields: { name: 'cabernet', place: 'valley' } },
    { title: 'page 1,000 of all', page: 1000 },
  ]
}
