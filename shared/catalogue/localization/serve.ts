import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../../contract/errors.ts'
import { type Language, languages } from '../../contract/labels/labels.ts'
import { type CacheableText, cacheableReply, cacheableText } from '../../platform/cache.ts'
import { localizationIn } from './tables.ts'

const day = 86_400

const cacheableJson = (value: object): CacheableText =>
  cacheableText(JSON.stringify(value), 'application/json; charset=utf-8', day)

const tablesIn = (language: Language): [path: string, table: CacheableText][] => {
  const tables = localizationIn(language)
  const single = Object.entries(tables).map(([name, table]): [string, CacheableText] => [
    `${language}/${name}`,
    cacheableJson(table),
  ])
  return [[language, cacheableJson(tables)], ...single]
}

// Built once, while the instance starts: they never change.
const known: ReadonlyMap<string, CacheableText> = new Map(languages.flatMap(tablesIn))

/** The tables of a language (`de`), or a table (`de/tastes`), as JSON; 304 for a matching ETag. Throws localization_not_found. */
export const localizationReply = (path: string, ifNoneMatch: string | undefined): Reply => {
  const found = known.get(path)
  if (!found) throw new Problem('localization_not_found')
  return cacheableReply(found, ifNoneMatch)
}
