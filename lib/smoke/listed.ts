import { keyHeaders, type Method, type Route } from '../../shared/contract/route.ts'
import { isObject, keptOf, type Listed, routeAt } from '../../shared/reference/examples.ts'
import { demand, same } from './compare.ts'
import type { Answered, Fields, How, Walk } from './walk.ts'

// A version is counted, a picture is drawn.
const isOther = new Set(['version', 'image'])

/** The fields that a request writes, as the answer has to have them. */
const writtenIn = ({ data }: Fields, answered: unknown): Fields => {
  const written = isObject(data) && isObject(answered) ? Object.entries(data) : []
  const shown = written.filter(([name]) => name in (answered as Fields) && !isOther.has(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]))
}

/** Throws Difference unless an answer is the expected one. */
const check = (walk: Walk, { refused, expect = {}, headers = {} }: Listed, fields: Fields, answer: Answered): void => {
  demand(answer.word === refused, `${answer.word ?? 'status 200'} instead of ${refused ?? '200'}`)
  if (refused) return
  const json = (answer.json ?? {}) as Fields
  const data = json.data as Fields
  for (const [name, value] of Object.entries(writtenIn(fields, data))) same(data[name], value, `data.${name}`)
  for (const [name, value] of Object.entries(walk.fill(expect))) same(json[name], value, name)
  for (const [name, value] of Object.entries(headers)) same(answer.headers.get(name), value, `the header ${name}`)
}

/** Sends a request until its answer is right, at once unless the list says `eventually`. Throws Difference. */
const sendUntilSettled = async (walk: Walk, listed: Listed, fields: Fields, how: How): Promise<Answered> => {
  const { path, refused, or, eventually } = listed
  const allowed = [or ?? []].flat()
  const words = refused ? [refused, ...allowed] : allowed
  const end = Date.now() + walk.options.patience
  for (;;) {
    const answer = await walk.call(path, fields, words, how)
    if (answer.word && allowed.includes(answer.word) && !eventually) return answer
    try {
      check(walk, listed, fields, answer)
      return answer
    } catch (error) {
      if (!eventually || Date.now() > end) throw error
    }
    await walk.pause()
  }
}

/** Throws Difference unless a GET with the ETag of its answer is answered without a body. */
const repeatWithETag = async (walk: Walk, path: string, fields: Fields, etag: string): Promise<void> => {
  const again = await walk.call(path, fields, [], { method: 'GET', headers: { 'if-none-match': etag } })
  // The answer may have changed in between.
  const isNew = again.headers.get('etag') !== etag
  demand(again.status === 304 || isNew, `the status with If-None-Match is ${again.status}`)
}

/** Throws Difference unless a request that is repeated with its key gets the same answer. */
const repeatWithKey = async (walk: Walk, path: string, fields: Fields, how: How, first: Answered): Promise<void> => {
  const { json, headers } = await walk.call(path, fields, [], how)
  same(json, first.json, 'the repeat')
  same(headers.get('idempotency-replayed'), 'true', 'the header Idempotency-Replayed')
}

const follow = async (walk: Walk, url: string | null): Promise<void> => {
  const { status } = await walk.send({ url: url ?? '', method: 'GET', headers: {} })
  demand(status === 200, `the redirect leads to a status ${status}`)
}

const takesKey = ({ headers }: Route): boolean => headers?.reads === keyHeaders.reads

const sendBy = async (walk: Walk, listed: Listed, route: Route, method: Method): Promise<Answered> => {
  const fields = walk.fill(listed.request ?? {})
  const isChange = takesKey(route) && !fields.dry_run && listed.without !== 'key'
  const key = isChange ? { headers: { 'idempotency-key': `${walk.mark} ${walk.calls}` } } : {}
  const { token } = walk.fill({ token: listed.client }) as { token?: string }
  const how = { method, without: listed.without, clientToken: token, ...key }
  const answer = await sendUntilSettled(walk, listed, fields, how)
  if (answer.word) return answer
  const etag = answer.headers.get('etag')
  if (etag) await repeatWithETag(walk, listed.path, fields, etag)
  if (key.headers) await repeatWithKey(walk, listed.path, fields, how, answer)
  if (answer.status === 302) await follow(walk, answer.headers.get('location'))
  return answer
}

/**
 * Sends a request of the list by each method of its route, and keeps its answer for later requests. Rejects with Difference, or
 * with Missing if an earlier answer is missing.
 */
export const sendListed = async (walk: Walk, listed: Listed): Promise<Answered> => {
  const route = routeAt(listed.path)
  const [first = 'POST', ...more] = listed.method ? [listed.method] : route.methods
  let answer = await sendBy(walk, listed, route, first)
  for (const method of more) answer = await sendBy(walk, listed, route, method)
  if (listed.as && !answer.word) walk.things[listed.as] = keptOf(answer.json)
  return answer
}

/** Walks a request of the list; returns the remark of its line. */
export const walkListed = async (walk: Walk, listed: Listed): Promise<string> => {
  const { word, json } = await sendListed(walk, listed)
  const { totalCount } = (json ?? {}) as { totalCount?: number }
  if (word) return word === listed.refused ? '' : word
  return totalCount === undefined ? '' : `${totalCount} records`
}
