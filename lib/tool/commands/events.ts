import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { eventsStamp, type StoredEvent, storedEvents } from '../../twin/events/store.ts'
import type { Target } from '../connect.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

type Wanted = { merchant?: string; follow?: true }

const pollMs = 300

/** Says what of a folder's events is new since the last call, of one merchant or of all. */
const teller = (folder: string, merchant: number | undefined) => {
  const said = new Set<string>()
  let seen = ''
  return async (): Promise<void> => {
    const stamp = await eventsStamp(folder)
    if (stamp === seen) return
    seen = stamp
    for (const line of await storedEvents(folder)) {
      const { id, detail } = JSON.parse(line) as StoredEvent
      if (said.has(id)) continue
      said.add(id)
      if (merchant === undefined || detail.customers_id === merchant) say(line)
    }
  }
}

const events = async ({ merchant, follow }: Wanted, { table, dataDir = '.local' }: Target): Promise<void> => {
  if (table)
    throw new Refused("a bus on AWS is followed by a rule with a target there; the stack's EventBusName names the bus")
  const tell = teller(resolve(dataDir), merchant === undefined ? undefined : (await findMerchant(merchant)).id)
  await tell()
  while (follow) {
    await pause(pollMs)
    await tell()
  }
}

/** The command that shows what the event bus was told. */
export const addEventCommands = (program: Command): void => {
  program
    .command('events')
    .option('--merchant <merchant>', 'id or name; without it, the events of all merchants')
    .option('--follow', 'goes on with what comes, until Ctrl-C')
    .description('prints the events of orders and wines, one JSON text a line, as a rule on AWS would get them')
    .action((wanted: Wanted) => events(wanted, program.opts<Target>()))
}
