import { writesOrders } from './checkout.ts'
import type { ItemKind } from './item-kinds.ts'
import type { FileRight, Verb } from './route.ts'

/**
 * What starts a job: items with these sort keys, or with sort keys that begin so, that were written, gathered for so many
 * seconds; time, every so many minutes, and perhaps another job besides; another job alone; or a deployment that changes
 * one of these, and time.
 */
export type Trigger =
  | { follows: readonly string[]; prefixes?: readonly string[]; windowSeconds: number }
  | { everyMinutes: number; startedBy?: Job['file'] }
  | { startedBy: Job['file'] }
  | { deployed: 'snapshot layout or table'; everyMinutes: number }

/** A function that no request starts. */
export type Job = {
  /** Its file below functions/. */
  file: `jobs/${string}`
  trigger: Trigger
  permissions: Partial<Record<ItemKind, readonly Verb[]>>
  files: readonly FileRight[]
  /** Whether it reads the secrets of payment providers. */
  secrets?: boolean
  /** Whether it hands events to the bus. */
  events?: boolean
  /** Seconds. */
  timeout: number
  /** MB. */
  memory: number
  summary: string
}

export const snapshots: Job = {
  file: 'jobs/snapshots',
  // Every change of a wine raises one of these two in its transaction; many in a row shall be looked at once.
  trigger: { follows: ['catalogue', 'version'], windowSeconds: 10 },
  permissions: { wine: ['queryIndex'], publicWine: ['queryIndex'] },
  files: ['readSnapshots', 'writeSnapshots', 'removeSnapshots'],
  // Lambda's most: without a snapshot a large catalogue is read and merged from nothing.
  timeout: 900,
  memory: 1769,
  summary: 'Writes the snapshots of search indexes anew when enough has changed.',
}

const rebuildSnapshots: Job = {
  file: 'jobs/rebuildSnapshots',
  trigger: { deployed: 'snapshot layout or table', everyMinutes: 60 },
  permissions: { directory: ['query'], catalogue: ['get'] },
  files: ['readSnapshots', 'writeSnapshots'],
  // Deployments wait for it.
  timeout: 900,
  memory: 512,
  summary:
    'Has the snapshots of all merchants written before functions read them; later, those that large catalogues lack.',
}

const rebuildScope: Job = {
  file: 'jobs/rebuildScope',
  trigger: { startedBy: 'jobs/rebuildSnapshots' },
  permissions: snapshots.permissions,
  files: snapshots.files,
  timeout: snapshots.timeout,
  memory: snapshots.memory,
  summary: "Writes one merchant's snapshot, or the public one, for the present layout.",
}

const publishing = {
  catalogue: ['batchGet'],
  publication: ['batchGet', 'put'],
  wine: ['queryIndex'],
  publicWine: ['batchGet', 'put'],
  publicVersion: ['get', 'update'],
  publicSlug: ['put', 'delete'],
  publicHash: ['put'],
} as const satisfies Job['permissions']

export const publish: Job = {
  file: 'jobs/publish',
  // Everybody shall see a change within five seconds, so nothing is gathered. What a run leaves starts the next one. Orders
  // it follows for the job of events: AWS recommends no third reader of the stream.
  trigger: { follows: ['catalogue', 'backlog'], prefixes: ['event#'], windowSeconds: 0 },
  permissions: { ...publishing, backlog: ['put'] },
  files: [],
  timeout: 60,
  memory: 1024,
  summary: 'Shows everybody what merchants changed in their public wines, and starts the job of events.',
}

export const publishMissed: Job = {
  file: 'jobs/publishMissed',
  // The stream starts jobs/publish at once; this is for what it lost.
  trigger: { everyMinutes: 60 },
  permissions: { ...publishing, directory: ['query'] },
  files: [],
  // Lambda's most: what a run leaves waits for an hour.
  timeout: 900,
  memory: 1024,
  summary: 'Compares the counters of all merchants, and shows everybody what was missed.',
}

export const events: Job = {
  file: 'jobs/events',
  // Every hour for what the stream lost, or a run that failed has left.
  trigger: { everyMinutes: 60, startedBy: 'jobs/publish' },
  permissions: {
    directory: ['query'],
    telling: ['put', 'update', 'delete'],
    outbox: ['query', 'delete'],
    catalogue: ['batchGet'],
    toldWines: ['batchGet', 'put'],
    wine: ['queryIndex'],
  },
  files: [],
  events: true,
  // As jobs/publishMissed.
  timeout: 900,
  memory: 512,
  summary: "Tells the event bus of orders and changed wines, for the merchants' other systems.",
}

export const sweep: Job = {
  file: 'jobs/sweep',
  trigger: { everyMinutes: 5 },
  permissions: { directory: ['query'], payment: ['queryIndex'], waitingOrder: ['query', 'delete'] },
  files: [],
  timeout: 240,
  memory: 512,
  summary:
    'Starts a sweep for each merchant that has a payment to be looked after, and deletes what dead requests laid down.',
}

export const sweepMerchant: Job = {
  file: 'jobs/sweepMerchant',
  // One run a merchant: a provider that does not answer keeps no other merchant waiting.
  trigger: { startedBy: 'jobs/sweep' },
  permissions: { ...writesOrders, payment: [...writesOrders.payment, 'queryIndex'] },
  files: [],
  secrets: true,
  // Shorter than the time between two sweeps.
  timeout: 240,
  memory: 512,
  summary: "Ends a merchant's orders that nobody paid within a day, and pays money of cancelled orders back.",
}

export const quotas: Job = {
  file: 'jobs/quotas',
  trigger: { everyMinutes: 720 },
  permissions: {
    directory: ['query'],
    quota: ['batchGet', 'update'],
    catalogue: ['batchGet', 'update'],
    wine: ['query'],
    client: ['query'],
    address: ['query'],
    basket: ['query'],
  },
  files: [],
  timeout: 300,
  memory: 1024,
  summary: 'Counts anew what merchants take of their quotas, where that was never counted or is more than half.',
}

/** All functions that no request starts. */
export const jobs: readonly Job[] = [
  publish,
  publishMissed,
  events,
  snapshots,
  rebuildSnapshots,
  rebuildScope,
  sweep,
  sweepMerchant,
  quotas,
]
