import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { settledVersion } from '../../shared/catalogue/search/feed.ts'
import { searchIndexOf, withIndex } from '../../shared/catalogue/search/instance-cache.ts'
import { refresh } from '../../shared/catalogue/search/refresh.ts'
import type { Scope } from '../../shared/catalogue/search/scopes.ts'
import { metadataOf, seal, snapshotLayout } from '../../shared/catalogue/search/snapshot-envelope.ts'
import { readSizes } from '../../shared/catalogue/search/snapshot-pieces.ts'
import { keyOf, loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { removeSnapshot, renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import { readFile, writeFile } from '../../shared/platform/files/files.ts'
import { maxBuffered } from '../../shared/search/search-index.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { runsAllCases, sampleUnlessAll } from '../support/sampling.ts'
import { simulatedFeed } from '../support/simulated-feed.ts'
import { damages } from '../support/snapshot-damage.ts'
import { bucket, clientOf, credentials, s3Fixture } from '../support/twin-s3-harness.ts'

const usual = { ...process.env }
const fixture = await s3Fixture()
let s3: S3Client

beforeAll(async () => {
  const { url } = await fixture.start()
  s3 = clientOf(url)
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: url,
    BUCKET_NAME: bucket,
    TABLE_NAME: 'one-table',
  })
})
afterAll(async () => {
  s3.destroy()
  process.env = usual
  await fixture.end()
})

type Stored = { body: Buffer; metadata: Record<string, string> }

const stored = async ({ name }: Scope): Promise<Stored> => {
  const { Body, Metadata = {} } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf({ name }) }))
  return { body: Buffer.from((await Body?.transformToByteArray()) ?? []), metadata: Metadata }
}
const store = ({ name }: Scope, { body, metadata }: Partial<Stored>) =>
  s3.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf({ name }), Body: body, Metadata: metadata }))

let feeds = 0
/** A feed of wines with a unique name. */
const feedOf = (count: number, name = `scope-${++feeds}`, descriptionOf?: (version: number) => string) => {
  const feed = simulatedFeed(1000, descriptionOf)
  const ids = Array.from({ length: count }, (_, n) => n + 1)
  const write = (some: readonly number[]) => {
    feed.write(some)
    feed.revealAll()
  }
  write(ids)
  return { ...feed, ids, scope: { ...feed.scope, name }, writeWines: write }
}
type Feed = ReturnType<typeof feedOf>

/** The wines that a new instance finds, with their versions; and the version from which on it read the table. */
const found = async ({ scope, asked }: Feed) => {
  asked.length = 0
  const loaded = await loadSnapshot(scope)
  await refresh(scope, loaded)
  const { ids } = loaded.index.search({ order: [{ field: 'id', descending: false }] })
  return { wines: ids.map(id => [id, loaded.index.versionOf(id)]), from: asked[0]?.versions.from }
}
const right = ({ table }: Feed) => [...table].sort(([a], [b]) => a - b)

const expectUsed = async (feed: Feed) =>
  expect(await found(feed)).toEqual({ wines: right(feed), from: Math.max(...feed.table.values()) })
const expectHealed = async (feed: Feed) => {
  expect((await found(feed)).wines).toEqual(right(feed))
  expect(await renewSnapshot(feed.scope)).toBe(true)
  await expectUsed(feed)
}

// AWS updates Node without a deployment. Change the layout here only for a release that is to have a new layout.
test('the layout is the same on every Node', () => {
  expect(snapshotLayout).toBe('fbe263f5')
})

test('a snapshot restores an index, and the feed is read from its end on', async () => {
  const feed = feedOf(30)
  expect(await renewSnapshot(feed.scope)).toBe(true)
  await expectUsed(feed)
  feed.writeWines([31, 32])
  expect((await found(feed)).wines).toEqual(right(feed))
})

// Each kind three times, or 1,000 in all.
const damageCount = runsAllCases ? 1000 : 36

test(`each of ${damageCount} damages is repaired: wines are found, and the job replaces the snapshot`, async () => {
  const feed = feedOf(40)
  await renewSnapshot(feed.scope)
  const good = await stored(feed.scope)
  const chance = chanceOf(7)
  const kinds = Object.entries(damages)
  for (let n = 0; n < damageCount; n++) {
    const [kind, damage] = kinds[n % kinds.length] ?? ['none', body => body]
    const body = damage(good.body, chance)
    if (body.equals(good.body)) continue
    await store(feed.scope, { body, metadata: chance.pick([good.metadata, {}]) })
    const { wines, from } = await found(feed)
    expect({ kind, n, from, wines }).toEqual({ kind, n, from: 1, wines: right(feed) })
    expect({ kind, n, isRenewed: await renewSnapshot(feed.scope) }).toEqual({ kind, n, isRenewed: true })
    expect((await stored(feed.scope)).body.equals(good.body)).toBe(true)
  }
}, 120_000)

test.each<[string, (metadata: Record<string, string>) => Record<string, string>]>([
  ['missing', () => ({})],
  ['no JSON', metadata => ({ ...metadata, head: '{"seen' })],
  ['of another checksum', metadata => ({ ...metadata, checksum: 'AAAAAA==' })],
  [
    'of numbers that are none',
    ({ head = '', ...rest }) => ({ ...rest, head: head.replace(/"seen":\[\d+/, '"seen":[-1') }),
  ],
  ['of another scope', ({ head = '', ...rest }) => ({ ...rest, head: head.replace(/"scope":"[^"]*/, '"scope":"x') })],
])('a snapshot whose metadata is %s is written again', async (_, change) => {
  const feed = feedOf(30)
  await renewSnapshot(feed.scope)
  const { body, metadata } = await stored(feed.scope)
  await store(feed.scope, { body, metadata: change(metadata) })
  await expectHealed(feed)
  expect(await stored(feed.scope)).toEqual({ body, metadata })
})

test('a snapshot of another scope or another table is not used', async () => {
  const [feed, other] = [feedOf(30), feedOf(35)]
  for (const one of [feed, other]) await renewSnapshot(one.scope)
  await store(feed.scope, await stored(other.scope))
  await expectHealed(feed)
  process.env.TABLE_NAME = 'another-table'
  await expectHealed(feed)
  process.env.TABLE_NAME = 'one-table'
  await expectHealed(feed)
})

test('after an older snapshot the changes since are read', async () => {
  const feed = feedOf(30)
  await renewSnapshot(feed.scope)
  const older = await stored(feed.scope)
  feed.writeWines(Array.from({ length: 40 }, (_, n) => n + 31))
  expect(await renewSnapshot(feed.scope)).toBe(true)
  await store(feed.scope, older)
  await expectHealed(feed)
})

test.each([
  ['with fewer versions', 20, 60],
  ['with none', 0, 60],
  ['that has come as far with other wines', 60, 60],
])('a snapshot from before the table went back to one %s is dropped', async (_, now, before) => {
  const old = feedOf(before)
  await renewSnapshot(old.scope)
  const restored = feedOf(0, old.scope.name)
  restored.writeWines(Array.from({ length: now }, (_, n) => now - n))
  expect((await found(restored)).wines).toEqual(right(restored))
  if (now !== before) expect(await renewSnapshot(restored.scope)).toBe(true)
  expect((await found(restored)).wines).toEqual(right(restored))
})

describe('bytes with the right checksum', () => {
  const stateOf = (count: number) => ({ seen: [count], high: [count], size: count, pieces: [] })
  const sealed = ({ scope: { name } }: Feed, index: Buffer) =>
    seal({ table: 'one-table', scope: name, feeds: 1 }, stateOf(30), index)

  test('that are no index are not used', async () => {
    const feed = feedOf(30)
    for (const index of [Buffer.alloc(0), Buffer.alloc(1000), Buffer.from('index')]) {
      await store(feed.scope, { body: sealed(feed, index) })
      expect((await found(feed)).wines).toEqual(right(feed))
    }
    await expectHealed(feed)
  })

  test('that would unpack to more than the memory are not unpacked', async () => {
    const feed = feedOf(30)
    const bomb = zstdCompressSync(Buffer.alloc(600 * 1024 * 1024))
    const list = Buffer.concat([Buffer.alloc(4), bomb])
    list.writeUInt32LE(bomb.length)
    await store(feed.scope, { body: sealed(feed, list) })
    await expectHealed(feed)
  })
})

test('a head that exceeds the size of metadata is left out of it', () => {
  const [usual, long] = ['x'.repeat(1900), 'x'.repeat(1901)]
  expect([metadataOf(usual, 'sum'), metadataOf(long, 'sum')]).toEqual([
    { head: usual, checksum: 'sum' },
    { checksum: 'sum' },
  ])
})

test('an object that is too large is not read', async () => {
  const feed = feedOf(1)
  await store(feed.scope, { body: Buffer.alloc(1001) })
  const [whole, none] = [await readFile(keyOf(feed.scope), 1001), await readFile(keyOf(feed.scope), 1000)]
  expect([whole?.body.length, none?.body.length, none?.etag]).toEqual([1001, 0, whole?.etag])
})

test('after few changes the job reads neither snapshot nor wines', async () => {
  const feed = feedOf(100)
  expect(await renewSnapshot(feed.scope)).toBe(true)
  feed.asked.length = 0
  feed.writeWines([1, 2, 3])
  expect([await renewSnapshot(feed.scope), feed.asked]).toEqual([false, []])
  const small = feedOf(19)
  expect([await renewSnapshot(small.scope), small.asked]).toEqual([false, []])
  feed.writeWines(feed.ids.slice(0, 17))
  expect(await renewSnapshot(feed.scope, { ms: 0 })).toBe(true)
})

test('a snapshot never claims a version of a transaction in progress', async () => {
  const feed = feedOf(30)
  feed.write([31, 32])
  feed.reveal(1)
  expect(await renewSnapshot(feed.scope, { ms: 0 })).toBe(true)
  const { feeds } = await loadSnapshot(feed.scope)
  expect(feeds.map(settledVersion)).toEqual([30])
  feed.revealAll()
  expect((await found(feed)).wines).toEqual(right(feed))
})

/** A text that cannot be compressed, derived from the version. */
const wordy = (version: number): string =>
  createHash('shake256', { outputLength: 300 }).update(String(version)).digest('base64').replace(/[/=]/g, 'q')
/** A feed whose snapshot is too large for its list. */
const wordyFeed = () => feedOf(70, undefined, wordy)

/** Lowers the sizes of one read, so that 70 wines are many. */
const setReadSizes = (less: Partial<typeof readSizes>) => {
  const usualSizes = { ...readSizes }
  beforeAll(() => {
    Object.assign(readSizes, less)
  })
  afterAll(() => {
    Object.assign(readSizes, usualSizes)
  })
}
const fewBytes = 16 * 1024

describe('a snapshot that is too large for its list', () => {
  setReadSizes({ list: fewBytes })
  const piecesOf = async ({ scope }: Feed): Promise<string[]> =>
    JSON.parse((await stored(scope)).metadata.head ?? '{}').pieces
  const pieceOf = ({ scope: { name } }: Feed, piece: string): Scope => ({
    ...wordyFeed().scope,
    name: `${name}/${piece}`,
  })

  test('has pieces in separate objects, which an edit does not change', async () => {
    const feed = wordyFeed()
    expect(await renewSnapshot(feed.scope)).toBe(true)
    const pieces = await piecesOf(feed)
    expect(pieces).toHaveLength(1)
    await expectUsed(feed)
    feed.writeWines(feed.ids.slice(0, 25))
    expect(await renewSnapshot(feed.scope)).toBe(true)
    expect(await piecesOf(feed)).toEqual(expect.arrayContaining(pieces))
    await expectUsed(feed)
  })

  test('has small pieces within the list', async () => {
    const feed = feedOf(70, undefined, version => (version <= 70 ? wordy(version) : String(version)))
    await renewSnapshot(feed.scope)
    const pieces = await piecesOf(feed)
    feed.writeWines(feed.ids.slice(0, 25))
    expect(await renewSnapshot(feed.scope)).toBe(true)
    expect(await piecesOf(feed)).toEqual(pieces)
    await expectUsed(feed)
  })

  test('loses its merged pieces', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    const [former = ''] = await piecesOf(feed)
    // More than half of the piece is gone.
    feed.writeWines(feed.ids.slice(0, 60))
    expect(await renewSnapshot(feed.scope)).toBe(true)
    expect(await piecesOf(feed)).not.toContain(former)
    await expect(stored(pieceOf(feed, former))).rejects.toMatchObject({ name: 'NoSuchKey' })
    await expectUsed(feed)
  })

  test('loses the pieces of another table', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    const [former = ''] = await piecesOf(feed)
    process.env.TABLE_NAME = 'another-table'
    feed.writeWines([71])
    expect(await renewSnapshot(feed.scope)).toBe(true)
    await expectUsed(feed)
    process.env.TABLE_NAME = 'one-table'
    await expect(stored(pieceOf(feed, former))).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  test('loses pieces that are in no list an hour later, and no others', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    const [listed = ''] = await piecesOf(feed)
    const { body, metadata } = await stored(feed.scope)
    feed.writeWines(feed.ids.slice(0, 60))
    // Another list takes the place of the one that was read.
    const overtaken: Scope = {
      ...feed.scope,
      changes: async function* (...asked) {
        await store(feed.scope, { body: Buffer.concat([body, Buffer.from('x')]), metadata })
        yield* feed.scope.changes(...asked)
      },
    }
    expect(await renewSnapshot(overtaken, { ms: 0 })).toBe(false)
    await store(feed.scope, { body, metadata })
    const ledger = pieceOf(feed, 'written')
    const noted = async (): Promise<Record<string, number>> => JSON.parse((await stored(ledger)).body.toString())
    const lost = Object.keys(await noted()).find(name => name !== listed) ?? ''
    expect((await stored(pieceOf(feed, lost))).body.length).toBeGreaterThan(0)
    const anHourAgo = Object.entries(await noted()).map(([name, since]) => [name, since - 3_600_001])
    await store(ledger, { body: Buffer.from(JSON.stringify(Object.fromEntries(anHourAgo))) })
    feed.writeWines(feed.ids.slice(0, 25))
    expect(await renewSnapshot(feed.scope, { ms: 0 })).toBe(true)
    await expect(stored(pieceOf(feed, lost))).rejects.toMatchObject({ name: 'NoSuchKey' })
    expect(Object.keys(await noted()).sort()).toEqual((await piecesOf(feed)).filter(name => name !== listed).sort())
    expect((await found(feed)).wines).toEqual(right(feed))
  })

  test.each(['{"', 'null', '7', '["x"]'])('is written whatever its ledger contains, as %s', async note => {
    const feed = wordyFeed()
    await store(pieceOf(feed, 'written'), { body: Buffer.from(note) })
    expect(await renewSnapshot(feed.scope)).toBe(true)
    await expectUsed(feed)
  })

  test.each(
    sampleUnlessAll([['removed', undefined] as const, ...Object.entries(damages)], 4),
  )('heals when one is %s', async (_, damage) => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    const [name = ''] = await piecesOf(feed)
    const piece = pieceOf(feed, name)
    const good = await stored(piece)
    if (damage) await store(piece, { body: damage(good.body, chanceOf(3)) })
    else await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(piece) }))
    await expectHealed(feed)
    expect((await stored(piece)).body.equals(good.body)).toBe(true)
  })

  test('is read whole while it is written repeatedly', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    let isOver = false
    const writing = (async () => {
      for (let n = 0; n < (runsAllCases ? 8 : 3); n++) {
        feed.writeWines(feed.ids.slice(10 * (n % 2), 50 + 10 * (n % 2)))
        await renewSnapshot(feed.scope)
      }
      isOver = true
    })()
    while (!isOver) {
      const loaded = await loadSnapshot(feed.scope)
      await refresh(feed.scope, loaded)
      expect(loaded.index.size).toBe(70)
      await pause(20)
    }
    await writing
    await expectUsed(feed)
  })
})

describe('the snapshot of an outdated layout', () => {
  setReadSizes({ list: fewBytes })
  const names = ['list', 'piece', 'orphan', 'ledger'] as const
  /** A snapshot of another layout: its objects, and those left after its removal. */
  const former = async (body?: (list: Buffer) => Buffer) => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    const list = await stored(feed.scope)
    const [piece] = JSON.parse(list.metadata.head ?? '{}').pieces
    const folder = keyOf(feed.scope, 'aaaaaaaa')
    const keys = { list: folder, piece: `${folder}/${piece}`, orphan: `${folder}/orphan`, ledger: `${folder}/written` }
    const write = (key: string, bytes: Buffer) => writeFile(key, bytes, 'text/plain', 'anything')
    await write(keys.list, (body ?? (same => same))(list.body))
    await write(keys.ledger, Buffer.from('{"orphan":1}'))
    for (const key of [keys.piece, keys.orphan]) await write(key, Buffer.from('x'))
    await removeSnapshot(feed.scope, 'aaaaaaaa')
    const left = await Promise.all(names.map(async name => ((await readFile(keys[name])) ? [name] : [])))
    return { feed, left: left.flat() }
  }

  test('is removed with its pieces and those in its ledger; the present snapshot stays', async () => {
    const { feed, left } = await former()
    expect(left).toEqual([])
    await expectUsed(feed)
  })

  test('is removed whole whatever its rules are', async () => {
    const otherRules = (list: Buffer) =>
      Buffer.from(list.toString('latin1').replace(/"rules":"./, '"rules":"9'), 'latin1')
    expect((await former(otherRules)).left).toEqual([])
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('another file of some length')],
    ['a list of nothing', Buffer.concat([Buffer.from('WNK2----'), Buffer.from([2, 0, 0, 0]), Buffer.from('{}')])],
  ])('leaves unlisted pieces when its list is %s', async (_, damaged) => {
    expect((await former(() => damaged)).left).toEqual(['piece'])
  })
})

describe('a large piece that a new instance reads in parts', () => {
  setReadSizes({ list: fewBytes, piece: 0 })

  const find = (feed: Feed, anywhere: string) =>
    withIndex(feed.scope, 0, async index => index.search({ query: { anywhere }, page: 1, pageSize: 600 }))
  const wholeOf = async (feed: Feed, anywhere: string) => {
    const loaded = await loadSnapshot(feed.scope)
    await refresh(feed.scope, loaded)
    return loaded.index.search({ query: { anywhere }, page: 1, pageSize: 600 })
  }
  const pieceKey = async (feed: Feed): Promise<string> => {
    const [name] = JSON.parse((await stored(feed.scope)).metadata.head ?? '{}').pieces
    return `${keyOf(feed.scope)}/${name}`
  }

  test('is read as far as each search needs it', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    expect(await readFile(await pieceKey(feed))).toBeDefined()
    expect((await find(feed, 'wine')).total).toBe((await wholeOf(feed, 'wine')).total)
    const begun = (await searchIndexOf(feed.scope)).bytes
    expect(await find(feed, 'a')).toEqual(await wholeOf(feed, 'a'))
    const more = (await searchIndexOf(feed.scope)).bytes
    expect(begun).toBeLessThan(more)
  })

  test('may be merged meanwhile: the search finds everything', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    await find(feed, 'wine')
    const former = await pieceKey(feed)
    feed.writeWines(feed.ids.slice(0, 55))
    expect(await renewSnapshot(feed.scope)).toBe(true)
    expect(await readFile(former)).toBeUndefined()
    expect(await find(feed, 'a')).toEqual(await wholeOf(feed, 'a'))
  })

  test('may have a damaged part: the search and the next search find everything', async () => {
    const feed = wordyFeed()
    await renewSnapshot(feed.scope)
    await find(feed, 'wine')
    const Key = await pieceKey(feed)
    const body = (await readFile(Key))?.body as Buffer
    const right = await wholeOf(feed, 'a')
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: body.fill(0, Math.floor(body.length / 3)) }))
    expect([await find(feed, 'a'), await find(feed, 'b - c')]).toEqual([right, await wholeOf(feed, 'b - c')])
  })
})

describe('an instance whose index has many pieces', () => {
  const each = maxBuffered + 1
  const clock = Date.now
  let time = 0
  beforeEach(() => {
    time = clock()
    Date.now = () => time
  })
  afterEach(() => {
    Date.now = clock
  })

  /** A feed whose index has 17 pieces in this instance. */
  const scatteredFeed = async () => {
    const feed = feedOf(0)
    await searchIndexOf(feed.scope)
    for (let at = 1; at <= 17 * each; at += each) {
      feed.writeWines(Array.from({ length: each }, (_, n) => at + n))
      await searchIndexOf(feed.scope)
    }
    expect((await searchIndexOf(feed.scope)).pieces).toBe(17)
    return feed
  }

  test('loads the snapshot in which they are merged', async () => {
    const feed = await scatteredFeed()
    await renewSnapshot(feed.scope)
    time += 60_001
    const { pieces, size } = await searchIndexOf(feed.scope)
    expect(size).toBe(17 * each)
    expect(pieces).toBeLessThan(9)
  })

  test('does not read all wines again while there is no newer snapshot', async () => {
    const feed = await scatteredFeed()
    time += 60_001
    feed.asked.length = 0
    const { pieces, size } = await searchIndexOf(feed.scope)
    expect([pieces, size, feed.asked.reduce((sum, { wines }) => sum + wines, 0)]).toEqual([17, 17 * each, 0])
  })
})
