import { type RebuildEvent, rebuildMissing, rebuildSnapshots } from '../../shared/catalogue/search/rebuild.ts'
import { merchantScope, publicScope } from '../../shared/catalogue/search/scopes.ts'
import { headText, metadataOf, seal } from '../../shared/catalogue/search/snapshot-envelope.ts'
import { keyOf } from '../../shared/catalogue/search/snapshot-store.ts'
import { checksumOf } from '../../shared/platform/files/checksum.ts'
import { writeFile } from '../../shared/platform/files/files.ts'
import { UnknownFormat } from '../../shared/platform/table/formats.ts'
import { key, type MerchantId, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { counted } from '../support/partitions.ts'
import { hookedTable } from '../support/table-hook.ts'
import { bucket, credentials, s3Fixture } from '../support/twin-s3-harness.ts'

const table = hookedTable()
const fixture = await s3Fixture()
afterAll(fixture.end)
const asked: string[] = []
let isDenied = false
const { url } = await fixture.start({ allows: () => !isDenied, onRequest: ({ key }) => asked.push(key) })
Object.assign(process.env, {
  ...{ AWS_ENDPOINT_URL_S3: url, BUCKET_NAME: bucket },
  ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
})

const merchants = counted(250).map(merchantIdOf)
const [small, present, absent, foreign, damaged, uncounted] = [1, 2, 3, 4, 5, 6].map(merchantIdOf) as [
  ...[MerchantId, MerchantId, MerchantId, MerchantId, MerchantId, MerchantId],
]
const large = [present, absent, foreign, damaged, uncounted]
const nameOf = (merchant: MerchantId | null) => (merchant === null ? publicScope : merchantScope(merchant)).name
const names = (all: readonly (MerchantId | null)[]) => all.map(nameOf).toSorted()

/** Writes an empty snapshot; `damage` is appended to its bytes without changing the checksum. */
const store = async (merchant: MerchantId, tableName: string, damage = '') => {
  const of = { table: tableName, scope: nameOf(merchant), feeds: 1 }
  const state = { seen: [1], high: [1], size: 1, pieces: [] }
  const sealed = seal(of, state, Buffer.alloc(0))
  const metadata = metadataOf(headText(of, state), checksumOf(sealed))
  const body = Buffer.concat([sealed, Buffer.from(damage)])
  await writeFile(keyOf(merchantScope(merchant)), body, 'application/octet-stream', 'anything', metadata)
}

beforeAll(async () => {
  const own = process.env.TABLE_NAME ?? ''
  for (const merchant of merchants) {
    await putItem(key('directory', { id: merchant }), { name: `Weingut ${merchant}` } as never)
    const item = { version: 9000, wines: large.includes(merchant) ? 2001 : 2, public_bytes: 0 }
    await putItem(key('catalogue', { merchant }), merchant === uncounted ? { version: 2001 } : item)
  }
  await store(present, own)
  await store(small, 'former-table')
  await store(foreign, 'former-table')
  await store(damaged, own, 'x')
})

/** The scopes that a run rebuilds, and its result. */
const looked = async (act: (event: RebuildEvent) => void = () => {}, deadline = Date.now() + 60_000) => {
  const events: RebuildEvent[] = []
  const done = await rebuildMissing(async event => {
    events.push(event)
    act(event)
  }, deadline)
  expect(events.flatMap(({ outdated }) => outdated)).toEqual([])
  return { written: names(events.map(({ merchant }) => merchant)), ...done }
}

test('scopes of more than 2,000 wines get a snapshot if they have none, or one that is damaged or of another table', async () => {
  const written = names([null, absent, foreign, damaged, uncounted])
  expect(await looked()).toEqual({ written, visited: 6, unreached: 0, missing: 5, failures: [] })
})

test('a run reads half a unit for each merchant, and one head for each scope of more than 2,000 wines', async () => {
  const reads: string[] = []
  table.hook = (name, text) => {
    reads.push(`${name} ${/"ConsistentRead":(\w+)/.exec(text)?.[1]}`)
  }
  asked.length = 0
  await looked()
  expect(reads).toEqual(['QueryCommand false', ...Array(250).fill('GetItemCommand false')])
  expect(asked.toSorted()).toEqual(names([null, ...large]).map(name => keyOf({ name })))
})

test('without S3 nothing is written, and the failures contain each scope', async () => {
  isDenied = true
  const { written, failures } = await looked()
  isDenied = false
  expect([written, failures.map(({ scope }) => scope).toSorted()]).toEqual([[], names([null, ...large])])
})

test('a failure does not stop the other scopes', async () => {
  const { visited, failures } = await looked(({ merchant }) => {
    if (merchant === absent) throw new Error('no wine left')
  })
  expect([visited, failures]).toEqual([6, [{ scope: nameOf(absent), error: new Error('no wine left') }]])
})

test('a catalogue of a later release does not stop the other merchants', async () => {
  const place = key('catalogue', { merchant: foreign })
  await putItem(place, { version: 9000, wines: 2001, public_bytes: 0, format: 2 } as never)
  const { written, failures } = await looked()
  await putItem(place, { version: 9000, wines: 2001, public_bytes: 0 })
  expect(written).toEqual(names([null, absent, damaged, uncounted]))
  expect(failures).toEqual([{ scope: nameOf(foreign), error: expect.any(UnknownFormat) }])
})

test('none is started after the deadline', async () => {
  expect(await looked(undefined, Date.now() - 1)).toMatchObject({ written: [], visited: 0, unreached: 6 })
})

test('a deployment rebuilds four snapshots at a time, until all scopes have theirs', async () => {
  let [atWork, most] = [0, 0]
  const written: (MerchantId | null)[] = []
  const rebuild = async ({ merchant }: RebuildEvent) => {
    most = Math.max(most, ++atWork)
    await new Promise(done => setImmediate(done))
    written.push(merchant)
    atWork--
  }
  expect(await rebuildSnapshots(rebuild, Date.now() + 60_000)).toEqual({ visited: 251, unreached: 0, failures: [] })
  expect([most, names(written)]).toEqual([4, names([null, ...merchants])])
})
