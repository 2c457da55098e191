/** The last number a merchant has given to each kind of record; they count up from 1 without gaps. */
export type Numbers = { orders: number; invoices: number; deliveryNotes: number; creditAdvices: number }

/** The numbers of a new merchant. */
export const noNumbers: Numbers = { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0 }
