import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../../contract/errors.ts'
import { type Language, languages } from '../../contract/labels.ts'
import { type Kept, kept, keptReply } from '../../platform/cache.ts'
import { localizationIn } from './tables.ts'

const day = 86_400

const keptAs = (value: object): Kept => kept(JSON.stringify(value), 'application/json; charset=utf-8', day)

const tablesIn = (language: Language): [path: string, table: Kept][] => {
  const tables = localizationIn(language)
  const single = Object.entries(tables).map(([name, table]): [string, Kept] => [`${language}/${name}`, keptAs(table)])
  return [[language, keptAs(tables)], ...single]
}

// Built once, while the instance starts: they never change.
const known: ReadonlyMap<string, Kept> = new Map(languages.flatMap(tablesIn))

/** The tables of a language (`de`), or one (`de/tastes`), as JSON; 304 for a matching ETag. Throws localization_not_found. */
export const localizationReply = (path: string, ifNoneMatch: string | undefined): Reply => {
  const found = known.get(path)
  if (!found) throw new Problem('localization_not_found')
  return keptReply(found, ifNoneMatch)
}
