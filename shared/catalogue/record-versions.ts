import { earlierOr, earlierUse, type Keyed, useActions } from '../merchants/idempotency.ts'
import { absent, equals } from '../platform/table/expressions.ts'
import { retry } from '../platform/table/failures.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { type Action, put, transact, update } from '../platform/table/transact.ts'
import { readRecordsVersion, versionKey } from './versions.ts'

/** The records among the actions of a change: those on the partition of the first action. */
const writtenBy = (actions: readonly Action[]) => {
  const pk = actions[0]?.key.pk ?? ''
  return { pk, sks: actions.filter(({ key }) => key.pk === pk).map(({ key }) => key.sk) }
}

/** Raises the version of wineries, of which several changes may be written at once. */
export const raiseWineries = (merchant: MerchantId, actions: readonly Action[]): Action =>
  update('version of wineries', versionKey(merchant, 'wineries'), {
    add: { version: 1 },
    set: { written: writtenBy(actions) },
  })

/**
 * Raises the version that was read before the records: of concurrent changes, one is written. The first of the `actions` of
 * the change writes a record of the kind.
 */
export const raiseFrom = (merchant: MerchantId, kind: string, seen: number, actions: readonly Action[]): Action =>
  put(
    `version of ${kind}`,
    versionKey(merchant, kind),
    { version: seen + 1, written: writtenBy(actions) },
    { when: [seen === 0 ? absent : equals('version', seen)] },
  )

/** The actions of a change, and its result. */
export type Change<Result> = { actions: readonly Action[]; result: Result }

/**
 * Changes records of a kind in one transaction; `change` is called again when another change was first, `tries` times in
 * all. Throws TransactionRefused after the last.
 */
export const changeRecords = <Result>(
  merchant: MerchantId,
  kind: string,
  change: () => Promise<Change<Result>>,
  tries = 40,
): Promise<Result> =>
  retry(
    async () => {
      const seen = await readRecordsVersion(merchant, kind)
      const { actions, result } = await change()
      if (actions.length > 0) await transact([raiseFrom(merchant, kind, seen, actions), ...actions])
      return result
    },
    () => true,
    tries,
  )

/** A record, and true if an earlier request with the same Idempotency-Key had added it. */
export type Added<Record> = { record: Record; replayed: boolean }

/** Adds a record of a kind; a repeat with the same Idempotency-Key reads the record that the first request added. */
export const addRecord = <Record extends { id: number }>(
  merchant: MerchantId,
  kind: string,
  keyed: Keyed<unknown>,
  { add, read }: { add: () => Promise<Change<Record>>; read: (id: number) => Promise<Record> },
): Promise<Added<Record>> => {
  const earlier = async (): Promise<Change<Added<Record>> | undefined> => {
    const used = await earlierUse(merchant, keyed)
    return used && { actions: [], result: { record: await read(used.id ?? 0), replayed: true } }
  }
  const first = async (): Promise<Change<Added<Record>>> => {
    const { actions, result: record } = await add()
    return { actions: [...actions, ...useActions(merchant, keyed, record.id)], result: { record, replayed: false } }
  }
  return changeRecords(merchant, kind, () => earlierOr(earlier, first))
}
