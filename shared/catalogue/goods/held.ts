import type { GoodsType } from '../../contract/vocabulary.ts'
import type { OrderItem } from '../../platform/table/items.ts'

/** Stock that a sale took and a cancellation gives back. */
export type CountedStock = { type: GoodsType; id: number; quantity: number }

/**
 * What an order that waits for an external payment holds of the stock; `cancelled` for one that holds none any more,
 * undefined for any other that does not wait.
 */
export const heldWhileWaiting = ({ doc }: OrderItem): readonly CountedStock[] | 'cancelled' | undefined => {
  const { header, counted }: { header: { status: string }; counted: CountedStock[] } = JSON.parse(doc)
  if (header.status === 'cancelled') return 'cancelled'
  return header.status === 'new' ? counted : undefined
}
