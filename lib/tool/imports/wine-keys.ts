import { maxTranslations } from '../../../shared/catalogue/wines/edit.ts'
import type { StoredWine } from '../../../shared/catalogue/wines/stored.ts'
import type { RowOf } from '../../../shared/contract/schema/fields.ts'
import type { filedWineFields } from './facts.ts'
import { numberOrId } from './new-records.ts'
import type { Refuse } from './plan.ts'
import { missing, type Report } from './rows.ts'

// A row names an original by its article number or, without one, by its id; a translation by its original and language.

/** The part of a row that names its wine. */
type KeyedWine = Pick<
  RowOf<typeof filedWineFields, never>,
  'articlenumber' | 'id' | 'original' | 'origin_id' | 'language'
>
type Reference = string | number | undefined

/** True if a row is of a translation. */
export const isTranslated = ({ original, origin_id }: KeyedWine): boolean => Boolean(original ?? origin_id)

/** Reports what a row lacks to name its wine. */
export const checkNamed = (row: KeyedWine, report: Report): void => {
  if (isTranslated(row)) {
    if (row.language === undefined) report('language', missing)
  } else if (!row.articlenumber && row.id === undefined) report('articlenumber', missing)
}

const filedId = ({ id, filed_id = id }: StoredWine): number => filed_id

/** The keys of a merchant's wines and of rows. */
export const wineKeys = (wines: readonly StoredWine[]) => {
  const originals = new Map(wines.flatMap(wine => (wine.origin_id === null ? [[wine.id, wine] as const] : [])))
  const ofOriginal = numberOrId(
    'articlenumber',
    [...originals.values()].map(wine => ({ id: filedId(wine), articlenumber: wine.articlenumber })),
  )

  /** The columns that name a wine, besides its article number and language. */
  const namesOf = (wine: StoredWine): Pick<KeyedWine, 'id' | 'original' | 'origin_id'> => {
    const original = originals.get(wine.origin_id ?? 0)
    if (!original) return wine.articlenumber === null ? { id: filedId(wine) } : {}
    return original.articlenumber === null ? { origin_id: filedId(original) } : { original: original.articlenumber }
  }

  /** The key of the original of a translation; undefined for an original. */
  const originalKey = ({ original, origin_id }: KeyedWine): Reference =>
    ofOriginal({ articlenumber: original, id: origin_id ?? undefined })

  const keyOf = (one: KeyedWine | StoredWine): Reference => {
    const { articlenumber, language } = one
    const named: KeyedWine = 'hash' in one ? { articlenumber, language, ...namesOf(one) } : one
    // No article number contains a line end.
    return isTranslated(named) ? `\n${JSON.stringify([originalKey(named), language])}` : ofOriginal(named)
  }

  return { namesOf, originalKey, keyOf }
}

export type WineKeys = ReturnType<typeof wineKeys>

/** Refuses a translation without an original in the file or the catalogue, in its language, or beyond the last. */
export const translationCheck = (
  wines: readonly StoredWine[],
  rows: readonly KeyedWine[],
  { keyOf, originalKey }: WineKeys,
) => {
  const originals = wines.filter(({ origin_id }) => origin_id === null)
  const filed = rows.filter(row => !isTranslated(row))
  const languages = new Map([
    ...originals.map(wine => [keyOf(wine), wine.language] as const),
    ...filed.flatMap(row => (row.language === undefined ? [] : [[keyOf(row), row.language] as const])),
  ])
  const known = new Set([...originals, ...filed].map(keyOf))
  const counts = new Map(originals.map(wine => [keyOf(wine), wine.translations.length]))
  return (row: KeyedWine, isNew: boolean, refuse: Refuse): void => {
    if (!isTranslated(row)) return
    const original = originalKey(row)
    const column = row.original ? 'original' : 'origin_id'
    if (!known.has(original)) refuse(column, 'original', 'that of an original in the file or the catalogue')
    if (row.language === (languages.get(original) ?? 'de')) {
      refuse('language', 'translation', 'another language than that of the original')
    }
    const count = (counts.get(original) ?? 0) + Number(isNew)
    counts.set(original, count)
    if (count > maxTranslations) {
      refuse(column, 'max_translations', `that of an original with fewer than ${maxTranslations} translations`)
    }
  }
}
