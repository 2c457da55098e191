import { absent, equals } from './expressions.ts'
import { ConditionFailed } from './failures.ts'
import type { LeaseItem } from './items.ts'
import type { Key } from './keys.ts'
import { deleteItem, putItem } from './table.ts'

/** Takes a lease for so many milliseconds. Returns false while it is another owner's. */
export const acquireLease = async (place: Key<LeaseItem>, owner: string, milliseconds: number): Promise<boolean> => {
  const now = Date.now()
  const isFree = { anyOf: [absent, { attribute: 'until', is: '<=', value: now }] } as const
  try {
    await putItem(place, { owner, until: now + milliseconds }, { when: [isFree] })
    return true
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // The SDK repeats a request whose answer was lost.
    return error.present(place)?.owner === owner
  }
}

/** Gives a lease back, unless it ran out and is another owner's by then. What fails here ends by itself. */
export const releaseLease = async (place: Key<LeaseItem>, owner: string): Promise<void> => {
  await deleteItem(place, [equals('owner', owner)]).catch(() => {})
}
