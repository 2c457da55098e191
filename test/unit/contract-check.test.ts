import { ordersAdd } from '../../shared/contract/routes/orders.ts'
import { inFieldOrder } from '../../shared/http/field-order.ts'
import { allRelations, orderView } from '../../shared/orders/view.ts'
import { checkContract } from '../support/contract-check.ts'
import type { Json } from '../support/harness.ts'
import { placed, plain } from '../support/placed-order.ts'

const { order, sold } = placed(plain)
const payment = {
  uuid: 'u',
  type: 'paypal',
  status: 'captured',
  amount: '24.00',
  currency: 'EUR',
  external_id: null,
  target_url: null,
}
const answer = (): Json => {
  const data = orderView(order, allRelations, sold)
  return JSON.parse(
    JSON.stringify({ info: 'success', ...(inFieldOrder(ordersAdd.response, { data, payment }) as object) }),
  )
}

const routes = ['/service/orders/add', '/service/orders/checkout/finish']

const wrong: Record<string, (json: Json) => void> = {
  'a key that nobody declared': json => Object.assign(json, { debug: 1 }),
  'a key in the order that nobody declared': json => Object.assign(json.data, { secret: 1 }),
  'an amount that is a number': json => Object.assign(json.data, { gross: 24 }),
  'a client’s term that is a number': json => Object.assign(json.data.client, { cashback: 2 }),
  'a key of the client that nobody declared': json => Object.assign(json.data.client, { password: 'x' }),
  'a delivery that is neither client nor address': json => Object.assign(json.data, { delivery: { id: 1 } }),
  'money without its currency': json => json.data.documents.payments.push({ uuid: 'u', amount: '24.00' }),
  'a position without its tax': json => Object.assign(json.data.positions[0], { tax: undefined }),
  'a payment without its status': json => Object.assign(json.payment, { status: undefined }),
}

describe.each(routes)('a success of %s', route => {
  const check = (json: Json) => () => checkContract(route, { status: 200, json })

  test('matches its schema', () => expect(check(answer())).not.toThrow())

  test.each(Object.entries(wrong))('with %s is refused', (_, change) => {
    const json = answer()
    change(json)
    expect(check(json)).toThrow('answers against its schema')
  })

  test('with fields out of order is refused', () => {
    const { data, ...rest } = answer()
    const { id, ...others } = data
    expect(check({ ...rest, data: { ...others, id } })).toThrow()
  })
})
