import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPart } from '../../lib/docs.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { type Counts, costTables, dollarsOf, idleColumn } from './costs/month.ts'
import { startService } from './costs/service.ts'
import { fixedIn, synthesize } from './costs/stack.ts'
import { countRequests, countTimed } from './costs/work.ts'

// Proves the costs of a month on AWS in lib/stack/OPERATIONS.md: counts the usage of a shop's requests and of the timed
// jobs. With --write it stores the counts and writes the tables.

const operations = join(import.meta.dirname, '../../lib/stack/OPERATIONS.md')

const resources = synthesize()
const service = await startService(resources)
const { say, close } = service
const timed = await countTimed(service)
const counts: Counts = { ...(await countRequests(service)), timed, fixed: fixedIn(resources) }
await close()

say(`${costTables(counts)}\n\nover 1,000 idle merchants\n`)
for (const { job, everyMinutes, usage } of timed) {
  const { memory = 0, timeout } = jobs.find(({ file }) => file === job) ?? {}
  const seconds = (usage.gbSeconds * 1024) / memory
  say(`${job}, every ${everyMinutes} minutes: ${usage.reads} read units, ${seconds.toFixed(1)} s of ${timeout}\n`)
}
const { DynamoDB = 0, Lambda = 0 } = dollarsOf(idleColumn(counts))
say(`a month: $${DynamoDB.toFixed(2)} of reads, $${Lambda.toFixed(2)} of Lambda\n`)

if (process.argv.includes('--write')) {
  writeFileSync(join(import.meta.dirname, 'costs/counts.json'), `${JSON.stringify(counts, null, 2)}\n`)
  writeFileSync(operations, withPart(readFileSync(operations, 'utf8'), 'costs', costTables(counts)))
}
