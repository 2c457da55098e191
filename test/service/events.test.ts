import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { BusEvent } from '../../shared/contract/events.ts'
import { newCheckout } from '../support/checkout.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { eventually } from '../support/eventually.ts'
import { firstPublished } from '../support/fake-bus.ts'
import { counted } from '../support/partitions.ts'
import { tool } from '../support/tool.ts'

// On the twin the bus is a file, which the operator tool reads.

type BusLine = { 'detail-type': BusEvent['type']; source: string; detail: BusEvent['detail'] }

const parsed = (lines: readonly string[]): BusEvent[] =>
  lines.map(line => {
    const { 'detail-type': type, detail } = JSON.parse(line) as BusLine
    return { type, detail }
  })

const toldOf = async (merchant: number): Promise<BusEvent[]> => {
  const { out } = await tool('events', '--merchant', `${merchant}`)
  return parsed(out.split('\n').filter(Boolean))
}

/** The published events of orders, each once, as `type order`. */
const orderEvents = (published: readonly BusEvent[]): string[] => [
  ...new Set(published.flatMap(({ type, detail }) => ('order_id' in detail ? [`${type} ${detail.order_id}`] : []))),
]

const winesIn = (published: readonly BusEvent[]) =>
  new Set(published.flatMap(({ detail }) => ('wine_id' in detail ? [detail.wine_id] : [])))

test('events of orders that are placed, paid, shipped and cancelled are published in sequence, and events of their wines', async () => {
  const { shop, add } = await newCheckout('Kellerei Meldung')
  const first = (await add({ payment_type: 'invoice' })).json.data
  await tool('order', `${shop.id}`, `${first.id}`, 'paid')
  await tool('order', `${shop.id}`, `${first.id}`, 'ship')
  const second = (await add({ payment_type: 'invoice' })).json.data
  await shop.call('orders/checkout/cancel', { uuid: second.uuid })
  const published = await eventually(
    () => toldOf(shop.id),
    all => orderEvents(all).length === 5 && winesIn(all).size === Object.keys(shop.wine).length,
  )
  const ofOrder = (id: number) => orderEvents(published).filter(text => text.endsWith(` ${id}`))
  expect(ofOrder(first.id)).toEqual(['order.placed', 'order.paid', 'order.shipped'].map(type => `${type} ${first.id}`))
  expect(ofOrder(second.id)).toEqual(['order.placed', 'order.cancelled'].map(type => `${type} ${second.id}`))
  expect(published.every(({ detail }) => detail.customers_id === shop.id)).toBe(true)
  expect(winesIn(published)).toEqual(new Set(Object.values(shop.wine)))
  const shipped = published.find(({ type }) => type === 'order.shipped')
  expect(shipped?.detail).toMatchObject({ uuid: first.uuid, status: 'in_delivery', paid: true, gross: first.gross })
})

test('the events of each of many concurrent orders are published in sequence', async () => {
  const { shop, add } = await newCheckout('Kellerei Andrang')
  const orders = await Promise.all(
    counted(16).map(async () => {
      const { data } = (await add({ payment_type: 'invoice' })).json
      await shop.call('orders/checkout/cancel', { uuid: data.uuid })
      return data.id
    }),
  )
  const published = await eventually(
    () => toldOf(shop.id),
    all => orderEvents(all).length === 32,
  )
  expect(new Set(firstPublished(published).keys())).toEqual(new Set(orders))
  for (const sequences of firstPublished(published).values()) expect(sequences).toEqual([1, 2])
})

test('events --follow prints later events', async () => {
  const { shop, add } = await newCheckout('Kellerei Folge')
  const words = ['bin/merchant.ts', 'events', '--follow', '--merchant', `${shop.id}`]
  const child = spawn(process.execPath, [...words, '--data-dir', process.env.TEST_TWIN ?? ''], {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines: string[] = []
    createInterface(child.stdout).on('line', line => lines.push(line))
    await eventually(() => lines.length > 0)
    const { id } = (await add({ payment_type: 'invoice' })).json.data
    await eventually(() => orderEvents(parsed(lines)).length > 0)
    expect(orderEvents(parsed(lines))).toEqual([`order.placed ${id}`])
  } finally {
    child.kill()
  }
})

test('on AWS, where a bus cannot be read, the tool explains how to follow it', async () => {
  const { code, errors } = await tool('--table', 'weinkontor', '--stage', 'prod', 'events')
  expect([code, errors]).toEqual([
    1,
    "on AWS, events are delivered by a rule with a target; the stack's output EventBusName names the bus\n",
  ])
})
