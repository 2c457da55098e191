import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from '../../lib/twin/dynamodb/proxy.ts'
import { counted } from '../support/partitions.ts'
import { weaklyConsistentReads } from '../support/weak-consistency.ts'

test('concurrent transactions on an item write it one at a time', async () => {
  const [reply, weak] = [{ status: 200, headers: {}, body: Buffer.from('{"Responses":{}}') }, weaklyConsistentReads()]
  let [writing, most] = [0, 0]
  const ask: Ask = async operation => {
    const isWrite = operation === 'TransactWriteItems'
    if (isWrite) most = Math.max(most, ++writing)
    await pause(1)
    if (isWrite) writing--
    return reply
  }
  const item = (name: string) => ({ Put: { TableName: 'table', Item: { pk: { S: name }, sk: { S: '-' } } } })
  const write = async (n: number) => {
    await pause(3 * n)
    await weak('TransactWriteItems', { TransactItems: [item('shared'), item(`own ${n}`)] }, ask)
  }
  await Promise.all(counted(100).map(write))
  expect(most).toBe(1)
})
