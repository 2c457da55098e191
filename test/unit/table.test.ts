import { buffer } from 'node:stream/consumers'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItem, getItems } from '../../shared/platform/table/table.ts'
import { localServer } from '../support/local-server.ts'

const merchant = 7 as MerchantId
const keys = [1, 2, 3].map(id => key('address', { merchant, id }))

type BatchGet = { RequestItems: { test: { Keys: { sk: { S: string } }[] } } }

// A throttled table: it serves one key of a batch at a time, until it has enough of them.
let served = 0
const asked: number[][] = []
const moments: number[] = []
const AWS_ENDPOINT_URL_DYNAMODB = await localServer(async (request, response) => {
  const { Keys } = (JSON.parse((await buffer(request)).toString()) as BatchGet).RequestItems.test
  moments.push(Date.now())
  asked.push(Keys.map(({ sk }) => Number(sk.S)))
  const [first, ...rest] = served > 0 ? Keys : [undefined, ...Keys]
  served -= 1
  const body = {
    Responses: { test: first ? [{ ...first, id: { N: String(Number(first.sk.S)) } }] : [] },
    UnprocessedKeys: rest.length > 0 ? { test: { Keys: rest } } : {},
  }
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
})
const credentials = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
Object.assign(process.env, { ...credentials, AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME: 'test' })

beforeEach(() => {
  asked.length = 0
  moments.length = 0
})

test('keys that a busy table leaves unprocessed are requested again, and the items are in the requested order', async () => {
  served = 3
  expect((await getItems(keys)).map(item => item?.id)).toEqual([1, 2, 3])
  expect(asked).toEqual([[1, 2, 3], [2, 3], [3]])
})

test('requests to a busy table are repeated after pauses, each longer than the last', async () => {
  const { random } = Math
  Math.random = () => 1
  served = 0
  await expect(getItems(keys)).rejects.toBeInstanceOf(Unavailable)
  Math.random = random
  const pauses = moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0))
  // A timer may end a millisecond early.
  expect(pauses.map((pause, n) => pause >= 20 * 2 ** n - 2)).toEqual([true, true, true, true, true])
  expect(asked).toHaveLength(6)
})

test('without TABLE_NAME the first use names the missing variable', async () => {
  const name = process.env.TABLE_NAME
  for (const missing of ['', undefined]) {
    delete process.env.TABLE_NAME
    if (missing !== undefined) process.env.TABLE_NAME = missing
    await expect(getItem(key('address', { merchant, id: 1 }))).rejects.toThrow('TABLE_NAME is not set')
  }
  process.env.TABLE_NAME = name
})
