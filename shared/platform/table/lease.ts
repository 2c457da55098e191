import { absent, equals } from './expressions.ts'
import { ConditionFailed } from './failures.ts'
import type { LeaseItem } from './items.ts'
import type { Key } from './keys.ts'
import { deleteItem, putItem } from './table.ts'

/** Acquires a lease for so many milliseconds. Returns false while another owner has it. */
export const acquireLease = async (place: Key<LeaseItem>, owner: string, milliseconds: number): Promise<boolean> => {
  const now = Date.now()
  const isFree = { anyOf: [absent, { attribute: 'until', is: '<=', value: now }] } as const
  try {
    await putItem(place, { owner, until: now + milliseconds }, { when: [isFree] })
    return true
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // The SDK retries a request whose response was lost.
    return error.present(place)?.owner === owner
  }
}

/** Releases a lease unless it is another owner's by now. Ignores errors: a lease expires by itself. */
export const releaseLease = async (place: Key<LeaseItem>, owner: string): Promise<void> => {
  await deleteItem(place, [equals('owner', owner)]).catch(() => {})
}
