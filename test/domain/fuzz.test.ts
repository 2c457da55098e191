import fc from 'fast-check'
import { routes } from '../../shared/contract/routes/index.ts'
import { clientHeader } from '../support/client-header.ts'
import { bodiesFor, largestFor } from '../support/fuzz.ts'
import { newFuzzTarget } from '../support/fuzz-target.ts'
import { call } from '../support/harness.ts'
import { repetitions, sampleInFastLane } from '../support/sampling.ts'
import { tableLines } from '../support/table-lines.ts'

// A few requests for each route, made from its own schema; `FUZZ=1000` sends as many to each.
const runs = repetitions('FUZZ', 2)
const { known, token, clientToken } = await newFuzzTarget()

// Signing out would end the session of all the others.
const posted = routes.filter(({ methods, path }) => methods.includes('POST') && !path.endsWith('/logout'))

const send = (path: string, body: unknown) =>
  call(path, body, {
    ...(path.startsWith('/service/') && { token }),
    headers: clientHeader(path, clientToken),
  })

const refused: { path: string; body: unknown }[] = []

test.each(posted.map(({ path }) => path))('%s answers any request, and never with an internal error', async path => {
  const route = posted.find(one => one.path === path)
  await fc.assert(
    fc.asyncProperty(bodiesFor(route?.body, known), async body => {
      // That a refusal's word is declared, and an answer as its schema has it, is checked with every answer.
      const { status, text } = await send(path, body)
      expect(status).toBeLessThan(500)
      expect(JSON.stringify(text).length).toBeLessThan(6 * 1024 * 1024)
      if (status >= 400) refused.push({ path, body })
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

test.each(
  sampleInFastLane(['🍷', '"', '\\'], 3),
)('every route answers the largest body that its schema accepts, of %s', async sign => {
  let taken = 0
  for (const { path, body } of posted) {
    const { status, text } = await send(path, largestFor(body, known, sign))
    expect([path, status < 500, JSON.stringify(text).length < 6 * 1024 * 1024]).toEqual([path, true, true])
    if (status === 200) taken++
  }
  expect(taken).toBeGreaterThan(posted.length / 4)
})

test('refused requests stored nothing', async () => {
  expect(refused.length).toBeGreaterThan(0)
  const before = await tableLines()
  let isRight = 0
  for (const { path, body } of refused) if ((await send(path, body)).status < 400) isRight++
  // A request that was refused because of another record may succeed by now.
  if (isRight === 0) expect((await tableLines()).filter(line => !before.includes(line))).toEqual([])
  expect(isRight).toBeLessThanOrEqual(refused.length / 20)
})
