import type { Versions } from '../../shared/catalogue/search/feed.ts'
import type { Scope } from '../../shared/catalogue/search/scopes.ts'
import type { Change } from '../../shared/search/search-index.ts'

/** A wine of a transaction that is being written: it shows under its new version once it is revealed. */
type Pending = { id: number; version: number }
type Transaction = { since: number; pending: Pending[]; written: Pending[] }

/** The maximum duration of a transaction. */
const longestMs = 9_000

/**
 * A feed as DynamoDB shows it: the wines of a transaction appear one by one in any order, and later transactions may be
 * through before. `now` is its clock in milliseconds, `descriptionOf` returns the description of a version.
 */
export const simulatedFeed = (pageSize = 3, descriptionOf: (version: number) => string | null = () => null) => {
  const table = new Map<number, number>()
  let counter = 0
  let now = 0
  let running: Transaction[] = []
  /** The versions that were acknowledged, by wine. */
  const acknowledged = new Map<number, number>()
  /** The queries, with their numbers of wines. */
  const asked: { versions: Versions; wines: number }[] = []
  /** Called between two pages of an answer. */
  let meanwhile: (() => void) | undefined

  const isBeingWritten = (id: number) => running.some(({ pending }) => pending.some(one => one.id === id))

  const reveal = (pick: number): void => {
    const all = running.flatMap(transaction => transaction.pending.map(one => ({ transaction, one })))
    const chosen = all[pick % Math.max(1, all.length)]
    if (!chosen) return
    const { transaction, one } = chosen
    table.set(one.id, one.version)
    transaction.pending.splice(transaction.pending.indexOf(one), 1)
    if (transaction.pending.length > 0) return
    for (const { id, version } of transaction.written) acknowledged.set(id, version)
    running = running.filter(other => other !== transaction)
  }

  const revealAll = (since = Number.POSITIVE_INFINITY): void => {
    for (let late = running.find(one => one.since <= since); late; late = running.find(one => one.since <= since)) {
      const place = running.slice(0, running.indexOf(late)).reduce((sum, { pending }) => sum + pending.length, 0)
      reveal(place)
    }
  }

  const changesIn = ({ from, to }: Versions): Change[] =>
    [...table]
      .filter(([, version]) => version >= from && version <= to)
      .sort(([, a], [, b]) => a - b)
      .map(([id, version]) => ({ version, wine: { id, name: `v${version}`, description: descriptionOf(version) } }))

  async function* changes(_: number, versions: Versions): AsyncGenerator<Change[]> {
    const question = { versions, wines: 0 }
    asked.push(question)
    for (let { from } = versions; ; ) {
      const page = changesIn({ ...versions, from }).slice(0, pageSize)
      question.wines += page.length
      yield page
      if (page.length < pageSize) return
      from = (page.at(-1)?.version ?? 0) + 1
      meanwhile?.()
    }
  }

  const scope: Scope = { name: 'simulated', feeds: 1, changes, newest: async () => Math.max(0, ...table.values()) }
  return {
    scope,
    table,
    acknowledged,
    asked,
    now: () => now,
    /** Begins to write wines; those that another transaction is writing stay out. */
    write: (ids: readonly number[]): void => {
      const free = [...new Set(ids)].filter(id => !isBeingWritten(id))
      const written = free.map(id => ({ id, version: ++counter }))
      if (written.length > 0) running.push({ since: now, pending: [...written], written })
    },
    reveal,
    revealAll,
    /** Lets time pass; what has been written for long comes to its end first. */
    pass: (ms: number): void => {
      revealAll(now + ms - longestMs)
      now += ms
    },
    lowestPending: () => Math.min(...running.flatMap(({ pending }) => pending.map(({ version }) => version))),
    setMeanwhile: (happens?: () => void): void => {
      meanwhile = happens
    },
  }
}
