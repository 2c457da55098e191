import { actAsOperator } from '../../lib/tool/connect.ts'
import { startTwin } from '../../lib/twin/twin.ts'
import { weakDelivery, weaklyConsistentReads } from './weak-consistency.ts'

// The service, without demo and timers, on a database that behaves no better than DynamoDB and its stream promise.
const { DATA_DIR = '', INSTANCES, ALL_INSTANCES } = process.env

const twin = await startTwin({
  port: 0,
  folder: DATA_DIR,
  maxInstances: Number(INSTANCES),
  maxAllInstances: Number(ALL_INSTANCES),
  timers: false,
  weakConsistency: { answer: weaklyConsistentReads(), delivery: weakDelivery },
})
process.once('SIGTERM', () => twin.close().then(() => process.exit()))
actAsOperator(twin.connection)
process.stdout.write(`ready ${twin.connection.url}\n`)
