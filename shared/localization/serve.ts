import { createHash } from 'node:crypto'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../contract/errors.ts'
import { type Language, languages } from '../contract/labels.ts'
import { localizationIn } from './tables.ts'

type Body = { text: string; etag: string }

const bodyOf = (value: object): Body => {
  const text = JSON.stringify(value)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}

const bodiesIn = (language: Language): [path: string, body: Body][] => {
  const tables = localizationIn(language)
  const single = Object.entries(tables).map(([name, table]): [string, Body] => [`${language}/${name}`, bodyOf(table)])
  return [[language, bodyOf(tables)], ...single]
}

// Made once, while the instance starts: they never change.
const bodies: ReadonlyMap<string, Body> = new Map(languages.flatMap(bodiesIn))

// RFC 9110, 13.1.2: any one of a list, or `*`; a weak mark does not count.
const isNamed = (etag: string, ifNoneMatch: string): boolean =>
  ifNoneMatch.split(',').some(one => ['*', etag].includes(one.trim().replace(/^W\//, '')))

/**
 * The tables of a language (`de`), or one of them (`de/tastes`), as JSON; 304 when the caller has it by its ETag. Throws
 * localization_not_found.
 */
export const localizationReply = (path: string, ifNoneMatch: string | undefined): Reply => {
  const body = bodies.get(path)
  if (!body) throw new Problem('localization_not_found')
  const headers = { etag: body.etag, 'cache-control': 'public, max-age=86400' }
  if (ifNoneMatch !== undefined && isNamed(body.etag, ifNoneMatch)) return { statusCode: 304, headers }
  return {
    statusCode: 200,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: body.text,
  }
}
