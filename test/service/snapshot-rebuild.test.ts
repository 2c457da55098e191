import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { merchantScope, publicScope, type Scope } from '../../shared/catalogue/search/scopes.ts'
import { seal, snapshotLayout, unseal } from '../../shared/catalogue/search/snapshot-envelope.ts'
import { keyOf, lacksSnapshot, loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { readFile, removeFile, writeFile } from '../../shared/platform/files/files.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { eventually } from '../support/eventually.ts'
import { counted } from '../support/partitions.ts'
import { invokeOn, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const answers: { Status: string; LogicalResourceId: string }[] = []
const cloudFormation = createServer(async (incoming, response) => {
  answers.push((await json(incoming)) as (typeof answers)[number])
  response.end()
})

const folder = temporaryFolder('rebuild')
let twin: TwinProcess

beforeAll(async () => {
  await new Promise<void>(done => cloudFormation.listen(0, '127.0.0.1', done))
  // A twin of this file's own: a rebuild reads the wines of all merchants.
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no' } })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin.stop()
  cloudFormation.closeAllConnections()
  cloudFormation.close()
})

/** Runs the job, and returns the error it failed with, if it did. */
const run = (event: object) => invokeOn(twin, 'jobs/rebuildSnapshots', event)

/** Runs the job as a deployment does. */
const deploy = (RequestType: 'Create' | 'Update' | 'Delete'): Promise<string | undefined> =>
  run({
    ...{ RequestType, StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Snapshots' },
    ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/`,
  })

const rows = counted(25).map(n => ({
  ...{ articlenumber: `${n}`, name: `Wandel ${n}`, type: 'red', countrycode: 'de', region: 1005, public: 1 },
}))

const newMerchant = async (name: string): Promise<MerchantId> => {
  const { id } = await createMerchant({ name, paymentTypes: ['invoice'] })
  await importWines(id as MerchantId, rows as never)
  return id as MerchantId
}

const layouts = async (): Promise<string[]> =>
  JSON.parse((await readFile('snapshots/layouts'))?.body.toString() ?? '[]')
const writeLayouts = (all: string[]) =>
  writeFile('snapshots/layouts', Buffer.from(JSON.stringify(all)), 'application/json', 'anything')
const isThere = async (scope: Scope, layout?: string) => (await readFile(keyOf(scope, layout))) !== undefined

/** As before a deployment of another layout: the snapshots of each scope are of two former layouts. */
const asBefore = async (scopes: readonly Scope[]) => {
  for (const scope of scopes) {
    await renewSnapshot(scope)
    const { body } = (await readFile(keyOf(scope))) ?? { body: Buffer.alloc(0) }
    for (const layout of ['aaaaaaaa', 'bbbbbbbb'])
      await writeFile(keyOf(scope, layout), body, 'application/octet-stream', 'anything')
    await removeFile(keyOf(scope))
  }
  await writeLayouts(['aaaaaaaa', 'bbbbbbbb'])
}

test('the first start records its layout, like a first deployment', async () => {
  expect(await eventually(layouts, all => all.length > 0)).toEqual([snapshotLayout])
})

test('a deployment of another layout writes all snapshots, and keeps those of the former layout, but no older snapshots', async () => {
  const merchants = [await newMerchant('Weingut Alt'), await newMerchant('Weingut Neu')]
  const scopes = [publicScope, ...merchants.map(merchantScope)]
  await eventually(async () => (await publicScope.newest(0)) + (await publicScope.newest(1)) > 0)
  await asBefore(scopes)
  answers.length = 0
  expect(await deploy('Update')).toBeUndefined()
  expect(answers).toEqual([
    {
      ...{ Status: 'SUCCESS', PhysicalResourceId: 'Snapshots', LogicalResourceId: 'Snapshots' },
      ...{ StackId: 'stack', RequestId: 'request' },
    },
  ])
  for (const scope of scopes) {
    const there = [snapshotLayout, 'bbbbbbbb', 'aaaaaaaa'].map(layout => isThere(scope, layout))
    expect([scope.name, ...(await Promise.all(there))]).toEqual([scope.name, true, true, false])
  }
  for (const merchant of merchants) expect((await loadSnapshot(merchantScope(merchant))).index.size).toBe(25)
  expect(await layouts()).toEqual(['bbbbbbbb', snapshotLayout])
})

test('a deployment of another table rebuilds all snapshots', async () => {
  const merchant = await newMerchant('Weingut Umzug')
  const scopes = [publicScope, merchantScope(merchant)]
  for (const scope of scopes) {
    await renewSnapshot(scope)
    const { body } = (await readFile(keyOf(scope))) ?? { body: Buffer.alloc(0) }
    const of = { table: process.env.TABLE_NAME ?? '', scope: scope.name, feeds: scope.feeds }
    const state = unseal(body, of)
    if (!state) throw new Error(`no snapshot of ${scope.name}`)
    const former = seal({ ...of, table: 'former-table' }, state, state.index)
    await writeFile(keyOf(scope), former, 'application/octet-stream', 'anything')
    expect(unseal(former, of)).toBeUndefined()
  }
  expect(await deploy('Update')).toBeUndefined()
  for (const scope of scopes) {
    expect((await loadSnapshot(scope)).index.size).toBeGreaterThanOrEqual(25)
    expect(await lacksSnapshot(scope)).toBe(false)
  }
})

test('the timer writes the missing snapshots of scopes of more than 2,000 wines, and no others', async () => {
  const [many, few] = [await newMerchant('Weingut Viel'), await newMerchant('Weingut Wenig')]
  const scopes = [many, few].map(merchantScope)
  // The job that follows the stream would write them later.
  for (const scope of scopes) await eventually(() => isThere(scope))
  for (const scope of scopes) await removeFile(keyOf(scope))
  await updateItem(key('catalogue', { merchant: many }), { set: { wines: 2001 } })
  expect(await run({})).toBeUndefined()
  expect(await Promise.all(scopes.map(scope => isThere(scope)))).toEqual([true, false])
})

test('a failure is reported and stops neither other snapshots nor the deployment; older layouts stay listed', async () => {
  const [broken, whole] = [await newMerchant('Weingut Kaputt'), await newMerchant('Weingut Ganz')]
  await renewSnapshot(merchantScope(broken))
  const [wine] = (await query({ pk: partition('wine', { merchant: broken }) })).map(wineOf)
  const place = key('wine', { merchant: broken, id: wine?.id ?? 0 })
  const kept = await getItem(place)
  await updateItem(place, { set: { doc: 'no wine' } })
  await asBefore([merchantScope(broken), merchantScope(whole)])
  answers.length = 0
  expect(await deploy('Update')).toContain('1 times: a snapshot was not rebuilt')
  await updateItem(place, { set: { doc: kept?.doc } })
  expect(answers).toMatchObject([{ Status: 'SUCCESS' }])
  expect([await isThere(merchantScope(whole)), await isThere(merchantScope(broken))]).toEqual([true, false])
  expect(await layouts()).toEqual(['aaaaaaaa', 'bbbbbbbb', snapshotLayout])
  expect(await deploy('Update')).toBeUndefined()
  expect([await isThere(merchantScope(broken)), await isThere(merchantScope(broken), 'aaaaaaaa')]).toEqual([
    true,
    false,
  ])
  expect(await layouts()).toEqual(['bbbbbbbb', snapshotLayout])
})

test.each([
  '[1]',
  '{"',
  'null',
  '["../../expertise"]',
])('a record of layouts that is %s is written again', async text => {
  await writeFile('snapshots/layouts', Buffer.from(text), 'application/json', 'anything')
  expect(await deploy('Create')).toBeUndefined()
  expect(await layouts()).toEqual([snapshotLayout])
})

test('the deletion of a stack is answered, and nothing is written', async () => {
  await writeLayouts(['aaaaaaaa'])
  answers.length = 0
  expect(await deploy('Delete')).toBeUndefined()
  expect(answers).toMatchObject([{ Status: 'SUCCESS', LogicalResourceId: 'Snapshots' }])
  expect(await layouts()).toEqual(['aaaaaaaa'])
})

test.each([
  {},
  { merchant: 1 },
  { merchant: 'public', outdated: [] },
  { merchant: null, outdated: ['../expertise'] },
])('the event %j rebuilds no snapshot and fails the function', async event => {
  const lambda = new LambdaClient({ maxAttempts: 1 })
  const FunctionName = twin.connection.functions['jobs/rebuildScope']
  const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }))
  lambda.destroy()
  expect(FunctionError).toBe('Unhandled')
})
