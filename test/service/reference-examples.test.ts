import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Example, RouteExamples } from '../../lib/smoke/examples.ts'
import { type Row, runSmoke } from '../../lib/smoke/run.ts'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import recorded from '../../shared/reference/examples.json' with { type: 'json' }
import { timestamp } from '../../shared/values/time.ts'
import { twin } from '../support/harness.ts'
import { patience } from '../support/tool.ts'

// The examples of the reference are requests and answers of the walk through all routes, at the first demo merchant, whose
// orders, baskets and addresses no other test reads. UPDATE=1 records them again.

type Examples = Readonly<Record<string, readonly Example[]>>

const file = join(import.meta.dirname, '../../shared/reference/examples.json')
const { authid, deskToken: token } = credentialsOf('elbufer')
const returnUrl = 'https://shop.example/done'
const options = { url: twin.url, authid, token, timeout: patience, patience, returnUrl, usesInvoices: true }

/** Replaces each distinct match by its own value, in order of appearance. */
const numbered = (text: string, pattern: RegExp, nth: (n: number) => string): string => {
  const known = new Map<string, string>()
  return text.replaceAll(pattern, match => {
    if (!known.has(match)) known.set(match, nth(known.size + 1))
    return known.get(match) ?? ''
  })
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')

// The walk takes less than that.
const steps = 5 * 60_000
const begin = Date.now()

/** A time, from the beginning of the walk in steps of five minutes, as if that had been a morning. */
const steadyTime = (text: string): string => {
  const passed = Math.max(0, Math.round((Date.parse(`${text.replace(' ', 'T')}Z`) - begin) / steps))
  return timestamp(Date.UTC(2026, 10, 26, 9) + passed * steps)
}

const files = 'https://weinkontor-files.s3.eu-central-1.amazonaws.com/'

/** Replaces values that each walk draws again, so that a recording differs from the one before by what changed. */
const steady = (text: string): string => {
  const replaced = text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, steadyTime)
    .replaceAll(/\b1[789]\d{8}\b/g, String(Date.UTC(2026, 10, 26, 9) / 1000))
    .replaceAll(/"url":"[^"]+","fields"/g, `"url":"${files}","fields"`)
    .replaceAll(/"url":"[^"]+\/documents\/[^"]+"/g, `"url":"${files}documents/8d1f….pdf?X-Amz-Signature=3f9a…"`)
    .replaceAll(/"x-amz-credential":"[^"]+"/g, '"x-amz-credential":"ASIA…/20261126/eu-central-1/s3/aws4_request"')
    .replaceAll(/"x-amz-signature":"[^"]+"/g, '"x-amz-signature":"8d1f…"')
    .replaceAll(/"x-amz-date":"[^"]+"/g, '"x-amz-date":"20261126T090000Z"')
    .replaceAll(/"policy":"[^"]+"/g, '"policy":"eyJleHBp…"')
    .replaceAll(/"(hash|lostpassword_hash|password)":"[\da-f]{32,}"/g, '"$1":"8d1f…"')
  const patterns: [RegExp, (n: number) => string][] = [
    [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g, n => `0d3f2a9c-5b1e-4c1d-9a57-${hex(n, 12)}`],
    [/\b1\d{14}\b/g, n => String(116_462_778_223_800 + n)],
    [/\bSBX[\dA-F]{21}\b/g, n => `SBX${hex(n, 21).toUpperCase()}`],
    [/\b[\dA-F]{13}\b/g, n => hex(n, 13).toUpperCase()],
    [/\bdrawn-1-[\da-f]{16}\b/g, n => `drawn-1-${hex(n, 16)}`],
  ]
  return patterns.reduce((masked, [pattern, nth]) => numbered(masked, pattern, nth), replaced)
}

// Replaces the records of a walk, which a reader of the reference will not find: its wine by one of the demo's, its name by
// a word, its tokens by placeholders.
const masked = (examples: Examples, wine: number, demoWine: number): Examples =>
  JSON.parse(
    steady(
      JSON.stringify(examples)
        .replaceAll(twin.url, 'http://localhost:3000')
        .replaceAll(twin.url.replace('127.0.0.1', 'localhost'), 'http://localhost:3000')
        .replaceAll(/smoke [\da-f]{8}|Smoke test/g, 'Beispiel')
        .replaceAll('smoke-test', 'beispiel')
        .replaceAll(/smoke-[\da-f]{8}(@smoke.invalid)?/g, (_, mail) => `beispiel${mail ? '@example.org' : ''}`)
        .replaceAll(new RegExp(`\\b${wine}\\b`, 'g'), String(demoWine))
        .replaceAll(/"wk([sc])_[^"]+"/g, '"wk$1_3f9a27c1_5b0c…"'),
    ),
  )

/** The kind of a value, through lists and objects. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
  return value === null ? null : typeof value
}

const keysOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).toSorted() : typeof value

const outlineOf = (examples: Examples) =>
  Object.entries(examples).map(([path, list]) => [
    path,
    list.map(({ name, request, answer }) => [name, shapeOf(request), keysOf(answer), keysOf(answer?.data)]),
  ])

describe('the examples of the reference', () => {
  let now: Examples = {}

  test(
    'are those of a walk in which no answer differs',
    async () => {
      const examples = new RouteExamples()
      const rows: Row[] = []
      let [wine, demoWine] = [0, 0]
      await runSmoke({
        ...options,
        onCall: call => {
          examples.onCall(call)
          const { data } = (call.reply.json ?? {}) as { data?: { id: number } }
          if (call.route.path === '/service/wines/add') wine = data?.id ?? 0
          if (call.route.path === '/service/wines/get') demoWine ||= data?.id ?? 0
        },
        onRow: row => {
          examples.onRow(row)
          rows.push(row)
        },
      })
      expect(rows.filter(({ wrong }) => wrong !== null)).toEqual([])
      now = masked(examples.byPath, wine, demoWine)
    },
    patience,
  )

  test('show every route', () => {
    const paths = routes.flatMap(({ path, documentedPaths }) => documentedPaths ?? [path])
    expect(paths.filter(path => !now[path])).toEqual([])
  })

  test('are up to date; UPDATE=1 records them again', () => {
    if (process.env.UPDATE) writeFileSync(file, JSON.stringify(now))
    const written: Examples = process.env.UPDATE ? now : (recorded as unknown as Examples)
    expect(outlineOf(written)).toEqual(outlineOf(now))
  })
})
