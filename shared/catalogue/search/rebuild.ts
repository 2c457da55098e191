import * as v from 'valibot'
import { Id } from '../../contract/wire.ts'
import { allMerchants, visitSome } from '../../merchants/directory.ts'
import { readFile, writeFile } from '../../platform/files/files.ts'
import { key, type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { merchantScope, publicScope, type Scope } from './scopes.ts'
import { snapshotLayout } from './snapshot-envelope.ts'
import { lacksSnapshot, removeSnapshot, renewSnapshot } from './snapshot-store.ts'

/*
 * A release whose layout or table is new finds no snapshot of it, and the first search of each scope would read all of its
 * wines. So its snapshots are written before functions read them. Those of the layout before stay for the functions of the
 * former release, while they are replaced, and should that one come back; older ones are removed.
 */

/** The snapshots of one scope to be written: a merchant's, or null for everything public; and the layouts to be removed. */
export type RebuildEvent = { merchant: MerchantId | null; outdated: string[] }

const layoutName = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))
const Event = v.object({ merchant: v.nullable(Id), outdated: v.array(layoutName) })

/** Reads the event that asks for a scope's snapshot. Throws what valibot throws when it does not. */
export const readRebuildEvent = (event: unknown): RebuildEvent => {
  const { merchant, outdated } = v.parse(Event, event)
  return { merchant: merchant === null ? null : merchantIdOf(merchant), outdated }
}

const scopeOf = (merchant: MerchantId | null): Scope => (merchant === null ? publicScope : merchantScope(merchant))

/** Writes one scope's snapshot, unless it has a fresh one, and removes those of outdated layouts. */
export const rebuildScope = async ({ merchant, outdated }: RebuildEvent): Promise<{ written: boolean }> => {
  const scope = scopeOf(merchant)
  const written = await renewSnapshot(scope)
  for (const layout of outdated) if (layout !== snapshotLayout) await removeSnapshot(scope, layout)
  return { written }
}

const layoutsKey = 'snapshots/layouts'
const mostLayouts = 64 * 1024

// The present one is always kept; one more is, for the release before.
const keptLayouts = 2

const Layouts = v.fallback(v.array(layoutName), [])

const readLayouts = async (): Promise<string[]> => {
  const { body } = (await readFile(layoutsKey, mostLayouts)) ?? {}
  try {
    return v.parse(Layouts, JSON.parse(body?.toString() || '[]'))
  } catch {
    // What is damaged tells nothing. The snapshots of former layouts stay for good.
    return []
  }
}

const writeLayouts = (layouts: readonly string[]): Promise<boolean> =>
  writeFile(layoutsKey, Buffer.from(JSON.stringify(layouts)), 'application/json', 'anything')

/** What a rebuild came to: how many scopes were looked at, how many not in time, and those that failed. */
export type Rebuilt = { visited: number; unreached: number; failures: { scope: string; error: unknown }[] }

/** Has one scope's snapshot written; resolves when it is. */
type Rebuild = (event: RebuildEvent) => Promise<unknown>

// Accounts may begin with ten functions at work at a time, and shops need some of them.
const atOnce = 4

const visitScopes = async <Visited extends MerchantId | null>(
  merchants: readonly Visited[],
  visit: (merchant: Visited) => Promise<unknown>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Rebuilt> => {
  const walk = await visitSome(merchants, visit, deadline, atOnce)
  return { ...walk, failures: walk.failures.map(({ merchant, error }) => ({ scope: scopeOf(merchant).name, error })) }
}

/**
 * Has the snapshots of all scopes written for the present layout and table; none is begun after the deadline, in epoch
 * milliseconds. One that fails is returned in `failures` and keeps no other one from being written.
 */
export const rebuildSnapshots = async (rebuild: Rebuild, deadline: number): Promise<Rebuilt> => {
  const layouts = [...(await readLayouts()).filter(layout => layout !== snapshotLayout), snapshotLayout]
  const outdated = layouts.slice(0, -keptLayouts)
  // Before the first snapshot is, so that none is ever of a layout that is not named.
  await writeLayouts(layouts)
  const scopes = [null, ...(await allMerchants())]
  const rebuilt = await visitScopes(scopes, merchant => rebuild({ merchant, outdated }), deadline)
  const isWhole = rebuilt.unreached === 0 && rebuilt.failures.length === 0
  if (isWhole && outdated.length > 0) await writeLayouts(layouts.slice(-keptLayouts))
  return rebuilt
}

// An index of fewer wines is made from the table within a second.
const manyWines = 2000

/**
 * Has those snapshots written that scopes of many wines lack, because a rebuild failed or did not reach them; else as
 * rebuildSnapshots. Reads half a unit of each merchant, and asks S3 about each scope of many wines once.
 */
export const rebuildMissing = async (rebuild: Rebuild, deadline: number): Promise<Rebuilt & { missing: number }> => {
  const merchants = await allMerchants()
  const wines = new Map<MerchantId, number>()
  const looked = await visitScopes(merchants, async merchant => {
    const catalogue = await getItem(key('catalogue', { merchant }), { eventual: true })
    // Each wine of a catalogue that was never counted has raised its version.
    wines.set(merchant, catalogue?.wines ?? catalogue?.version ?? 0)
  })
  // Of all wines some are public.
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
