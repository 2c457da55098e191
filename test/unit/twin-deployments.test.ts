import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { localDeployments } from '../../lib/twin/lambda/deployments.ts'
import {
  answerDeployment,
  type Deployment,
  keepWaiting,
  readDeployment,
} from '../../shared/platform/jobs/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('deployments')

type Event = Deployment & { ResourceProperties: object }

const known = async (): Promise<object> =>
  JSON.parse(await readFile(join(folder, 'deployed.json'), 'utf8').catch(() => '{}'))

/** Starts the twin's deployments with the function `act` behind `Layout`. */
const started = async (layout: string, act: (event: Event) => Promise<unknown> = answerDeployment) => {
  const events: Event[] = []
  const warnings: string[] = []
  const invoke = async (event: unknown) => {
    events.push(event as Event)
    await act(event as Event)
  }
  const deployments = localDeployments({
    folder,
    find: () => ({ invoke, renew: () => {}, close: async () => {} }),
    warn: line => warnings.push(line),
  })
  deployments.apply([{ id: 'Layout', functionArn: 'arn', properties: { layout } }])
  return { deployments, events, warnings }
}

const finished = async (layout: string, act?: (event: Event) => Promise<unknown>) => {
  const { deployments, events, warnings } = await started(layout, act)
  await eventually(async () => warnings.length > 0 || JSON.stringify(await known()).includes(`"${layout}"`))
  await deployments.close()
  return { types: events.map(({ RequestType }) => RequestType), warnings }
}

test('a resource is created once, updated if it has changed, and else left alone', async () => {
  expect(await finished('one')).toEqual({ types: ['Create'], warnings: [] })
  expect(await finished('one')).toEqual({ types: [], warnings: [] })
  expect(await finished('two')).toEqual({ types: ['Update'], warnings: [] })
  expect(await known()).toEqual({ Layout: { layout: 'two' } })
})

test.each<[string, (event: Event) => Promise<unknown>]>([
  [
    'its function did not answer',
    async () => {
      throw new Error('no wine left')
    },
  ],
  [
    'no wine left',
    ({ ResponseURL, RequestId }) =>
      fetch(ResponseURL, {
        method: 'PUT',
        body: Buffer.from(JSON.stringify({ RequestId, Status: 'FAILED', Reason: 'no wine left' })),
      }),
  ],
])('a failed deployment is reported, and tried again by the next start: %s', async (reason, act) => {
  const { types, warnings } = await finished(reason, act)
  expect({ types, warnings }).toEqual({ types: ['Update'], warnings: [`Layout was not deployed: ${reason}`] })
  expect((await finished(reason)).types).toEqual(['Update'])
})

test("an answer to another request is ignored, and so is one whose content type the link's signature does not allow", async () => {
  const { types, warnings } = await finished('three', async event => {
    const { ResponseURL, RequestId } = event
    await answerDeployment({ ...event, RequestId: 'another' })
    const body = JSON.stringify({ RequestId, Status: 'SUCCESS' })
    expect((await fetch(ResponseURL, { method: 'PUT', body })).status).toBe(403)
    expect((await fetch(ResponseURL, { method: 'POST', body: Buffer.from(body) })).status).toBe(403)
  })
  expect({ types, warnings }).toEqual({
    types: ['Update'],
    warnings: ['Layout was not deployed: its function did not answer'],
  })
})

test('a twin that ends does not wait for an answer, and has deployed nothing', async () => {
  const before = await known()
  const { deployments, events, warnings } = await started('four', () => pause(60_000, undefined, { ref: false }))
  await eventually(() => events.length > 0)
  await deployments.close()
  expect([warnings, await known()]).toEqual([[], before])
})

test('an answer that cannot be sent is tried three times, and then fails the function', async () => {
  const event = readDeployment({
    RequestType: 'Create',
    ResponseURL: 'http://127.0.0.1:9/answer',
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Layout',
  })
  await expect(answerDeployment(event)).rejects.toThrow("CloudFormation's link answered fetch failed")
  expect(() => readDeployment({ ...event, RequestType: 'Replace' })).toThrow()
})

describe('a deployment continues', () => {
  const during = async (work: Promise<string>, ms: number) => {
    let ended: unknown
    const types = await finished(`layout-${Math.random()}`, async event => {
      ended = await keepWaiting(event, work, ms).catch((error: Error) => error.message)
    })
    return { ...types, ended }
  }
  const answered = { types: ['Update'], warnings: [] }

  test('when the work is done', async () => {
    expect(await during(Promise.resolve('done'), 60_000)).toEqual({ ...answered, ended: 'done' })
  })

  test('when the work has failed, and then reports the failure', async () => {
    expect(await during(Promise.reject(new Error('no wine left')), 60_000)).toEqual({
      ...answered,
      ended: 'no wine left',
    })
  })

  test('when the time is over', async () => {
    expect(await during(new Promise(() => {}), 20)).toEqual({ ...answered, ended: undefined })
  })
})
