import type { ItemKind } from './item-kinds.ts'
import type { FileRight, Verb } from './route.ts'
import { writesOrders } from './routes/checkout.ts'

/**
 * The trigger of a job: writes of items with these sort keys or sort key prefixes, batched for `windowSeconds`; a schedule,
 * and optionally another job; another job alone; or a deployment that changes one of these, and a schedule.
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
  /** True if it reads the secrets of payment providers. */
  secrets?: boolean
  /** True if it puts events on the bus. */
  events?: boolean
  /** Seconds. */
  timeout: number
  /** MB. */
  memory: number
  summary: string
}

export const snapshots: Job = {
  file: 'jobs/snapshots',
  // Every change of a wine raises either in its transaction; a run checks a series of changes.
  trigger: { follows: ['catalogue', 'version'], windowSeconds: 10 },
  permissions: { wine: ['queryIndex'], publicWine: ['queryIndex'] },
  files: ['readSnapshots', 'writeSnapshots', 'removeSnapshots'],
  // Lambda's maximum: without a snapshot a large catalogue is read and merged from scratch.
  timeout: 900,
  memory: 1769,
  summary: 'Regenerates the snapshots of search indexes when enough has changed.',
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
    'Starts the jobs that write the snapshots of all merchants before functions read them; later, missing snapshots of large catalogues.',
}

const rebuildScope: Job = {
  file: 'jobs/rebuildScope',
  trigger: { startedBy: 'jobs/rebuildSnapshots' },
  permissions: snapshots.permissions,
  files: snapshots.files,
  timeout: snapshots.timeout,
  memory: snapshots.memory,
  summary: "Writes one merchant's snapshot, or the public one, for the current layout.",
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
  // Changes are public within five seconds, so there is no batching window. Unfinished work starts the next run. It follows
  // orders for the events job: AWS recommends against a third reader of the stream.
  trigger: { follows: ['catalogue', 'backlog'], prefixes: ['event#'], windowSeconds: 0 },
  permissions: { ...publishing, backlog: ['put'] },
  files: [],
  timeout: 60,
  memory: 1024,
  summary: 'Publishes the changes of public wines, and starts the job of events.',
}

export const publishMissed: Job = {
  file: 'jobs/publishMissed',
  // The stream starts jobs/publish immediately; this run publishes what the stream lost.
  trigger: { everyMinutes: 60 },
  permissions: { ...publishing, directory: ['query'] },
  files: [],
  // Lambda's maximum: unfinished work waits for an hour.
  timeout: 900,
  memory: 1024,
  summary: 'Compares the counters of all merchants, and publishes missed changes of public wines.',
}

export const events: Job = {
  file: 'jobs/events',
  // Every hour for events that the stream lost or a failed run left.
  trigger: { everyMinutes: 60, startedBy: 'jobs/publish' },
  permissions: {
    directory: ['query'],
    publisherLease: ['put', 'update', 'delete'],
    outbox: ['query', 'delete'],
    catalogue: ['batchGet'],
    wineEventProgress: ['batchGet', 'put'],
    wine: ['queryIndex'],
  },
  files: [],
  events: true,
  // As jobs/publishMissed.
  timeout: 900,
  memory: 512,
  summary: "Publishes events of orders and changed wines to the event bus, for the merchants' other systems.",
}

export const sweep: Job = {
  file: 'jobs/sweep',
  trigger: { everyMinutes: 5 },
  permissions: { directory: ['query'], payment: ['queryIndex'], queuedOrder: ['query', 'delete'] },
  files: [],
  timeout: 240,
  memory: 512,
  summary:
    'Starts a sweep for each merchant with a payment to reconcile, and deletes the queued drafts of requests that died.',
}

export const sweepMerchant: Job = {
  file: 'jobs/sweepMerchant',
  // A run for each merchant: a provider that does not answer delays no other merchant.
  trigger: { startedBy: 'jobs/sweep' },
  permissions: { ...writesOrders, payment: [...writesOrders.payment, 'queryIndex'] },
  files: [],
  secrets: true,
  // Shorter than the time between two sweeps.
  timeout: 240,
  memory: 512,
  summary: "Cancels a merchant's orders that were not paid within a day, and refunds money of cancelled orders.",
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
  summary: 'Recounts the quotas of merchants that were never counted or use more than half.',
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
