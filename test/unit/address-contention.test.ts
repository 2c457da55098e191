import { addAddress, editAddress } from '../../shared/clients/addresses.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { localServer } from '../support/local-server.ts'

const home = {
  type: 'shipping',
  address: 'Weg 1',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'de',
  name: 'A',
} as const
const merchant = 7 as MerchantId

const busy = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  Message: 'Transaction cancelled',
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'ongoing' }],
}

// A table whose transactions conflict twice before they succeed.
let refusals = 0
const asked: string[] = []
const AWS_ENDPOINT_URL_DYNAMODB = await localServer((request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
  asked.push(operation)
  request.resume().on('end', () => {
    const isBusy = operation === 'TransactWriteItems' && refusals-- > 0
    const answer = isBusy ? busy : operation === 'GetItem' ? { Item: { id: { N: '1' } } } : {}
    response.writeHead(isBusy ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
  })
})
const credentials = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
Object.assign(process.env, { ...credentials, AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME: 'test' })

beforeEach(() => {
  refusals = 2
  asked.length = 0
})

test('adding an address retries when its client is in another transaction', async () => {
  await expect(addAddress(merchant, 1, { ...home, client_id: 3 })).resolves.toMatchObject({ client_id: 3 })
  // Before the transactions, at most once a minute, quota is reserved.
  expect(asked).toEqual(['UpdateItem', 'TransactWriteItems', 'TransactWriteItems', 'TransactWriteItems'])
})

test('editing an address retries when its client is in another transaction', async () => {
  await expect(editAddress(merchant, 1, { client_id: 3 })).resolves.toEqual({ id: 1 })
  expect(asked).toEqual(['TransactWriteItems', 'TransactWriteItems', 'TransactWriteItems', 'GetItem'])
})
