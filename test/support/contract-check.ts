import { appendFileSync } from 'node:fs'
import * as v from 'valibot'
import { errorsOf, type Route } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { Refusal, successOf } from '../../shared/contract/schema/answer.ts'
import { seenErrorsFile } from './declared-errors.ts'
import { outOfOrder, shapeOf } from './field-order.ts'

type Checked = { status: number; json: Record<string, unknown> }

const patterns = routes.map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\+\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The route that a path, with or without a query string, leads to. */
const routeAt = (path: string): Route => {
  const [pathname = ''] = path.split('?')
  return patterns.find(({ pattern }) => pattern.test(pathname))?.route ?? fallback
}

const schemas = new Map<Route, v.GenericSchema>()

/** The schema of a route's success, made once. */
const schemaOf = (route: Route): v.GenericSchema => {
  const schema = schemas.get(route) ?? successOf(route)
  schemas.set(route, schema)
  return schema
}

const firstIssue = (schema: v.GenericSchema, json: unknown): string | undefined => {
  const issue = v.safeParse(schema, json).issues?.[0]
  return issue && `${v.getDotPath(issue)} ${issue.message}`
}

const seen = new Set<string>()

/** Notes for the end of the run that a route refused with a word. */
const note = (line: string): void => {
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(seenErrorsFile(), `${line}\n`)
}

const checkRefusal = (route: Route, { status, json }: Checked): void => {
  const issue = firstIssue(Refusal, json)
  if (issue || json.code !== status)
    throw new Error(`${route.path} refuses with ${status} ${JSON.stringify(json)}: ${issue ?? 'another code'}`)
  const word = json.error as string
  if (!errorsOf(route).some(declared => declared === word))
    throw new Error(`${route.path} refuses with ${word}, which it does not declare`)
  note(`${route.path} ${word}`)
}

const checkSuccess = (route: Route, { json }: Checked): void => {
  const issue = firstIssue(schemaOf(route), json)
  if (issue) throw new Error(`${route.path} answers against its schema: ${issue}`)
  const { info: _, ...fields } = json
  const records = route.envelope === 'bare' ? [fields] : [json.data].flat()
  const wrong = records.flatMap(record => outOfOrder(shapeOf(route.response), record, route.path))
  if (wrong.length > 0) throw new Error(`${route.path} answers fields out of order: ${wrong.join(', ')}`)
}

/**
 * Checks a JSON response against the contract: a success against the schema of its route, a refusal against the one error
 * shape and the words that the route declares.
 */
export const checkContract = (path: string, response: Checked): void => {
  const route = routeAt(path)
  if (response.status >= 400) checkRefusal(route, response)
  else if (response.status === 200 && route.envelope !== 'raw') checkSuccess(route, response)
}
