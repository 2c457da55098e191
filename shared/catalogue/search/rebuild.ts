import * as v from 'valibot'
import { Id } from '../../contract/schema/wire.ts'
import { allMerchants, visitAll } from '../../merchants/directory.ts'
import { readFile, writeFile } from '../../platform/files/files.ts'
import { key, type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { merchantScope, publicScope, type Scope } from './scopes.ts'
import { snapshotLayout } from './snapshot-envelope.ts'
import { lacksSnapshot } from './snapshot-store.ts'
import { removeSnapshot, renewSnapshot } from './snapshot-writer.ts'

/*
 * A release with a new layout or table finds no snapshots, and the first search of each scope would read all of its
 * wines. So its snapshots are written before functions read them. Those of the previous layout stay for the functions of
 * the previous release, and for a rollback to it; older snapshots are removed.
 */

/** The scope whose snapshot is to be written (a merchant, or null for public wines), and the layouts to be removed. */
export type RebuildEvent = { merchant: MerchantId | null; outdated: string[] }

const layoutName = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))
const Event = v.object({ merchant: v.nullable(Id), outdated: v.array(layoutName) })

/** Parses the event. Throws a ValiError. */
export const readRebuildEvent = (event: unknown): RebuildEvent => {
  const { merchant, outdated } = v.parse(Event, event)
  return { merchant: merchant === null ? null : merchantIdOf(merchant), outdated }
}

const scopeOf = (merchant: MerchantId | null): Scope => (merchant === null ? publicScope : merchantScope(merchant))

/** Writes a scope's snapshot, unless it has a fresh snapshot, and removes those of outdated layouts. */
export const rebuildScope = async ({ merchant, outdated }: RebuildEvent): Promise<{ written: boolean }> => {
  const scope = scopeOf(merchant)
  const written = await renewSnapshot(scope)
  for (const layout of outdated) if (layout !== snapshotLayout) await removeSnapshot(scope, layout)
  return { written }
}

const layoutsKey = 'snapshots/layouts'
const maxLayoutsBytes = 64 * 1024

// The present layout and that of the previous release.
const storedLayouts = 2

const Layouts = v.fallback(v.array(layoutName), [])

const readLayouts = async (): Promise<string[]> => {
  const { body } = (await readFile(layoutsKey, maxLayoutsBytes)) ?? {}
  try {
    return v.parse(Layouts, JSON.parse(body?.toString() || '[]'))
  } catch {
    // The snapshots of layouts in a damaged list stay for good.
    return []
  }
}

const writeLayouts = (layouts: readonly string[]): Promise<boolean> =>
  writeFile(layoutsKey, Buffer.from(JSON.stringify(layouts)), 'application/json', 'anything')

/** The result of a rebuild: the numbers of scopes visited and not reached in time, and the failures. */
export type Rebuilt = { visited: number; unreached: number; failures: { scope: string; error: unknown }[] }

/** Runs the job that writes a scope's snapshot; resolves when it has ended. */
type Rebuild = (event: RebuildEvent) => Promise<unknown>

// New accounts have ten concurrent functions, and shops need some of them.
const maxConcurrent = 4

const visitScopes = async <Visited extends MerchantId | null>(
  merchants: readonly Visited[],
  visit: (merchant: Visited) => Promise<unknown>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Rebuilt> => {
  const walk = await visitAll(merchants, visit, deadline, maxConcurrent)
  return { ...walk, failures: walk.failures.map(({ merchant, error }) => ({ scope: scopeOf(merchant).name, error })) }
}

/**
 * Rebuilds the snapshots of all scopes for the present layout and table; starts none after the deadline (epoch
 * milliseconds). A rebuild that fails is returned in `failures` and does not stop the others.
 */
export const rebuildSnapshots = async (rebuild: Rebuild, deadline: number): Promise<Rebuilt> => {
  const layouts = [...(await readLayouts()).filter(layout => layout !== snapshotLayout), snapshotLayout]
  const outdated = layouts.slice(0, -storedLayouts)
  // Before the first snapshot, so that none is ever of a layout that is not listed.
  await writeLayouts(layouts)
  const scopes = [null, ...(await allMerchants())]
  const rebuilt = await visitScopes(scopes, merchant => rebuild({ merchant, outdated }), deadline)
  const isWhole = rebuilt.unreached === 0 && rebuilt.failures.length === 0
  if (isWhole && outdated.length > 0) await writeLayouts(layouts.slice(-storedLayouts))
  return rebuilt
}

// An index of fewer wines is built from the table within a second.
const manyWines = 2000

/**
 * Rebuilds the snapshots that scopes of many wines lack because a rebuild failed or did not reach them; otherwise as
 * rebuildSnapshots. Reads half a unit for each merchant, and a head from S3 for each scope of many wines.
 */
export const rebuildMissing = async (rebuild: Rebuild, deadline: number): Promise<Rebuilt & { missing: number }> => {
  const merchants = await allMerchants()
  const wines = new Map<MerchantId, number>()
  const looked = await visitScopes(merchants, async merchant => {
    const catalogue = await getItem(key('catalogue', { merchant }), { eventual: true })
    // The version of a catalogue that was never counted is at least its number of wines.
    wines.set(merchant, catalogue?.wines ?? catalogue?.version ?? 0)
  })
  // An upper limit of the public wines.
  const all = wines.values().reduce((sum, count) => sum + count, 0)
  const sizeOf = (merchant: MerchantId | null): number => (merchant === null ? all : (wines.get(merchant) ?? 0))
  const large = [null, ...merchants].filter(merchant => sizeOf(merchant) > manyWines)
  let missing = 0
  const visit = async (merchant: MerchantId | null): Promise<void> => {
    if (!(await lacksSnapshot(scopeOf(merchant)))) return
    missing++
    await rebuild({ merchant, outdated: [] })
  }
  const rebuilt = await visitScopes(large, visit, deadline)
  return { ...rebuilt, failures: [...looked.failures, ...rebuilt.failures], missing }
}
