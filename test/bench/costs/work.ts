import { importWines } from '../../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../../lib/tool/merchants.ts'
import { publishNext } from '../../../shared/catalogue/publishing/publish.ts'
import { shardOf } from '../../../shared/catalogue/wines/stored.ts'
import { events, jobs, publish, snapshots } from '../../../shared/contract/jobs.ts'
import type { Route } from '../../../shared/contract/route.ts'
import { addressesAdd } from '../../../shared/contract/routes/addresses.ts'
import { basketsAdd, basketsAddItem } from '../../../shared/contract/routes/baskets.ts'
import { checkoutCancel } from '../../../shared/contract/routes/checkout.ts'
import { ordersAdd } from '../../../shared/contract/routes/orders.ts'
import { pictures } from '../../../shared/contract/routes/pictures.ts'
import { login } from '../../../shared/contract/routes/sign-in.ts'
import { winesSearch } from '../../../shared/contract/routes/wine-lists.ts'
import { winesEdit } from '../../../shared/contract/routes/wine-writes.ts'
import { winesGet } from '../../../shared/contract/routes/wines.ts'
import { publishEvents } from '../../../shared/events/publish-events.ts'
import { eventJobInput } from '../../../shared/events/start-job.ts'
import { type Key, key, merchantIdOf } from '../../../shared/platform/table/keys.ts'
import { demoWinesOf } from '../../support/demo-wines.ts'
import { median } from '../median.ts'
import { type Counts, type Usage, usageOf } from './month.ts'
import type { Service } from './service.ts'

const home = {
  first_name: 'Ada',
  last_name: 'Beispiel',
  address: 'Am Hang 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'de',
}

/** A batch of the table's stream with changes of these items. */
const streamOf = (...keys: Key[]) => ({
  Records: keys.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })),
})

/** The usual usage of some work. Of CPU it is the least of all rounds, because other work on the machine adds to it. */
const usualOf = async (rounds: number, count: () => Promise<Usage>): Promise<Usage> => {
  const all: Usage[] = []
  for (let round = 0; round < rounds; round++) all.push(await count())
  return usageOf(name => {
    const amounts = all.map(usage => usage[name])
    return name === 'cpuMs' || name === 'gbSeconds' ? Math.min(...amounts) : median(amounts)
  })
}

const rounds = 30
const timedRounds = 3

/**
 * Returns the usage of a shop's requests on the demo cellar, including the jobs that they start, of a picture, and the
 * CPU of a plain read.
 */
export const countRequests = async (service: Service): Promise<Pick<Counts, 'steps' | 'picture' | 'plainReadMs'>> => {
  const { send, run } = service
  const account = await createMerchant({ name: 'Keller' })
  const merchant = merchantIdOf(account.id)
  await importWines(merchant, demoWinesOf('elbufer'))
  while ((await publishNext(merchant)) === 'more');
  await publishEvents(eventJobInput([merchant]), Number.POSITIVE_INFINITY)
  const { token: apiToken } = await issueToken(account, 'bench')
  const { token } = await send(login, { body: { authid: account.authid, token: apiToken } })
  const ask = (route: Route, body: object) => send(route, { body, token })

  const [wine] = (await ask(winesSearch, { query: 'riesling', inshop: 1, orderBy: 'nostock ASC', pageSize: 16 })).data
  const item = { item_type: 'wine', item_id: wine.id, quantity: 6 }
  const baskets: string[] = []
  const fill = () => ask(basketsAddItem, { uuid: baskets.pop(), data: item })
  const newBasket = async () => baskets.push((await ask(basketsAdd, {})).data.uuid)
  let turn = 0

  const counted = (act: () => Promise<unknown>) => usualOf(rounds, () => service.counted(act))

  const tell = () => run(events, eventJobInput([merchant]))
  const placed: string[] = []
  const place = async () => {
    const data = { source: 'shop', payment_type: 'invoice', items: [item], billing: home }
    const { uuid, id } = (await ask(ordersAdd, { data })).data
    placed.push(uuid)
    await run(publish, streamOf(key('outbox', { merchant, order: id, sequence: 1 })))
    await tell()
  }
  const cancel = async () => {
    const { id } = (await ask(checkoutCancel, { uuid: placed.pop() })).data
    await run(publish, streamOf(key('outbox', { merchant, order: id, sequence: 2 })))
    await tell()
  }
  const edit = async () => {
    await ask(winesEdit, { id: wine.id, data: { sorting: ++turn } })
    const catalogue = key('catalogue', { merchant })
    await run(publish, streamOf(catalogue))
    await tell()
    await run(snapshots, streamOf(catalogue, key('publicVersion', { shard: shardOf(merchant) })))
  }

  const works: [what: string, of1000: number, act: () => Promise<unknown>][] = [
    ['a search of wines, 16 a page', 650, () => ask(winesSearch, { query: 'riesling', pageSize: 16 })],
    ['a wine', 250, () => ask(winesGet, { id: wine.id })],
    ['a basket', 40, newBasket],
    ['a wine put into it', 40, fill],
    ['an address', 8, () => ask(addressesAdd, { data: home })],
    ['an order of a guest and its event', 8, place],
    ['a cancellation and its event', 1, cancel],
    ['a wine edited, published, and its event', 3, edit],
  ]
  const steps: Counts['steps'] = []
  for (const [what, of1000, act] of works) {
    steps.push({ what, of1000, usage: await counted(act) })
  }
  const show = () => send(pictures, { path: `${wine.image}?height=320` })
  const picture = await counted(show)
  const plain = await counted(() => service.readPlainly(key('wine', { merchant, id: wine.id })))
  return { steps, picture, plainReadMs: plain.cpuMs }
}

const merchants = 1000
const atOnce = 20

/** Returns the usage of a run of each timed job over idle merchants. */
export const countTimed = async ({ runTimed, counted }: Service): Promise<Counts['timed']> => {
  for (let n = 0; n < merchants; n += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, one) => createMerchant({ name: `Weingut ${n + one}` })))
  const timed: Counts['timed'] = []
  for (const job of jobs) {
    if (!('everyMinutes' in job.trigger)) continue
    // The first run also does one-time work.
    await runTimed(job)
    const usage = await usualOf(timedRounds, () => counted(() => runTimed(job)))
    timed.push({ job: job.file, everyMinutes: job.trigger.everyMinutes, usage })
  }
  return timed
}
