import * as v from 'valibot'
import { Id } from '../../contract/wire.ts'
import { readFile, writeFile } from '../../files/files.ts'
import { visitMerchants } from '../../merchants/directory.ts'
import { type MerchantId, merchantIdOf } from '../../table/keys.ts'
import { merchantScope, publicScope } from './scopes.ts'
import { snapshotLayout } from './snapshot-envelope.ts'
import { removeSnapshot, renewSnapshot } from './snapshot-store.ts'

/*
 * A release whose layout is new finds no snapshot of it, and the first search of each scope would read all of its wines.
 * So snapshots of the new layout are written before functions read them. Those of the layout before stay for the functions
 * of the former release, while they are replaced, and should that one come back; older ones are removed.
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

/** Writes one scope's snapshot, unless it has a fresh one, and removes those of outdated layouts. */
export const rebuildScope = async ({ merchant, outdated }: RebuildEvent): Promise<{ written: boolean }> => {
  const scope = merchant === null ? publicScope : merchantScope(merchant)
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

/** What a rebuild came to: the merchants not reached in time, and the scopes that failed. */
export type Rebuilt = { visited: number; unreached: number; failures: { scope: string; error: unknown }[] }

/**
 * Has the snapshots of all scopes written for the present layout, by `rebuild`, which resolves when one is; none is begun
 * after the deadline, in epoch milliseconds. What fails is told and keeps no other one from being written.
 */
export const rebuildSnapshots = async (
  rebuild: (event: RebuildEvent) => Promise<unknown>,
  deadline: number,
): Promise<Rebuilt> => {
  const layouts = [...(await readLayouts()).filter(layout => layout !== snapshotLayout), snapshotLayout]
  const outdated = layouts.slice(0, -keptLayouts)
  // Before the first snapshot is, so that none is ever of a layout that is not named.
  await writeLayouts(layouts)
  const publicly = rebuild({ merchant: null, outdated }).then(
    () => [],
    error => [{ scope: publicScope.name, error }],
  )
  const walk = await visitMerchants(merchant => rebuild({ merchant, outdated }), deadline)
  const merchants = walk.failures.map(({ merchant, error }) => ({ scope: merchantScope(merchant).name, error }))
  const failures = [...(await publicly), ...merchants]
  const isWhole = walk.unreached === 0 && failures.length === 0
  if (isWhole && outdated.length > 0) await writeLayouts(layouts.slice(-keptLayouts))
  return { ...walk, failures }
}
