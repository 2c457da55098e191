import type { Client } from '../../clients/record.ts'
import type { Address } from '../../contract/addresses.ts'

/** Whom an order names, on one of its sides. */
export type Party = { type: 'client'; id: number; record: Client } | { type: 'address'; id: number; record: Address }
