import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { handler } from '../../functions/jobs/snapshots.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { keyOf, loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { removeFile } from '../../shared/platform/files/files.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { type Json, newShop, twin } from '../support/harness.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { counted } from '../support/partitions.ts'
import { runsAllCases } from '../support/sampling.ts'
import { damages } from '../support/snapshot-damage.ts'

const files = new S3Client({})
afterAll(() => files.destroy())

const rows = counted(22).map(n => ({
  articlenumber: `${n}`,
  name: `Faden ${n}`,
  type: 'red',
  countrycode: 'de',
  region: 1005,
}))
const names = rows.map(({ name }) => name).sort()

/** A merchant with a snapshot, whose wines no instance has searched yet. */
const newMerchant = async () => {
  const shop = await newShop()
  await importWines(shop.id, rows as never)
  const scope = merchantScope(shop.id)
  // Unless the job was first.
  await renewSnapshot(scope)
  const Key = keyOf(scope)
  const object = async () => {
    const { Body } = await files.send(new GetObjectCommand({ Bucket: twin.bucket, Key }))
    return Buffer.from((await Body?.transformToByteArray()) ?? [])
  }
  const damage = (Body: Buffer) => files.send(new PutObjectCommand({ Bucket: twin.bucket, Key, Body }))
  const list = async () => {
    const { status, json } = await shop.call('wines/getAll', { pageSize: 100 })
    return { status, names: json.data?.map(({ name }: Json) => name).sort() }
  }
  return { scope, object, damage, list }
}

test('lists are right for any damage of a snapshot, and the job replaces it', async () => {
  const chance = chanceOf(30)
  const kinds = Object.entries(damages)
  // A few kinds here: test/unit/search-snapshots.test.ts tries each.
  for (let n = 0; n < (runsAllCases ? 30 : 3); n++) {
    const [kind, damaged] = kinds[n % kinds.length] ?? ['none', body => body]
    const { scope, object, damage, list } = await newMerchant()
    const good = await object()
    await damage(damaged(good, chance))
    expect({ kind, n, ...(await list()) }).toEqual({ kind, n, status: 200, names })
    await renewSnapshot(scope)
    expect({ kind, n, isGood: (await object()).equals(good) }).toEqual({ kind, n, isGood: true })
  }
})

test("another merchant's snapshot is not used for its wines", async () => {
  const [one, other] = [await newMerchant(), await newMerchant()]
  await one.damage(await other.object())
  expect(await one.list()).toEqual({ status: 200, names })
  await renewSnapshot(one.scope)
  expect(await one.list()).toEqual({ status: 200, names })
})

test('a scope that cannot be read does not stop the others, and the job fails at the end', async () => {
  const [broken, whole] = [await newShop(), await newShop()]
  for (const { id } of [broken, whole]) await importWines(id, rows as never)
  const [wine] = (await query({ pk: partition('wine', { merchant: broken.id }) })).map(wineOf)
  const place = key('wine', { merchant: broken.id, id: wine?.id ?? 0 })
  const kept = await getItem(place)
  await updateItem(place, { set: { doc: 'no wine' } })
  // Unless the job was first.
  await removeFile(keyOf(merchantScope(broken.id)))
  const Records = [broken, whole].map(({ id }) => ({
    dynamodb: { Keys: { pk: { S: `m#${id}#catalogue` }, sk: { S: 'version' } } },
  }))
  await expect(handler({ Records } as never)).rejects.toThrow(`merchant-${broken.id}`)
  await updateItem(place, { set: { doc: kept?.doc } })
  const { index } = await loadSnapshot(merchantScope(whole.id))
  expect(index.size).toBe(rows.length)
})
