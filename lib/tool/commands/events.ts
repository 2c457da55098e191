import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { eventsStamp, type StoredEvent, storedEvents } from '../../twin/events/store.ts'
import type { Target } from '../connect.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

type Options = { merchant?: string; follow?: true }

const pollMs = 300

/** Returns a function that prints the events of a folder since its last call, of one merchant or of all. */
const printerOf = (folder: string, merchant: number | undefined) => {
  const printed = new Set<string>()
  let seen = ''
  return async (): Promise<void> => {
    const stamp = await eventsStamp(folder)
    if (stamp === seen) return
    seen = stamp
    for (const line of await storedEvents(folder)) {
      const { id, detail } = JSON.parse(line) as StoredEvent
      if (printed.has(id)) continue
      printed.add(id)
      if (merchant === undefined || detail.customers_id === merchant) say(line)
    }
  }
}

const events = async ({ merchant, follow }: Options, { table, dataDir = '.local' }: Target): Promise<void> => {
  if (table)
    throw new Refused(
      "on AWS, events are delivered by a rule with a target; the stack's output EventBusName names the bus",
    )
  const print = printerOf(resolve(dataDir), merchant === undefined ? undefined : (await findMerchant(merchant)).id)
  await print()
  while (follow) {
    await pause(pollMs)
    await print()
  }
}

/** Adds the command that prints the events of the bus. */
export const addEventCommands = (program: Command): void => {
  program
    .command('events')
    .option('--merchant <merchant>', 'id, name or AuthID; without it, the events of all merchants')
    .option('--follow', 'continues with new events, until Ctrl-C')
    .description('prints the events of orders and wines, one JSON text a line, as a rule on AWS delivers them')
    .action((options: Options) => events(options, program.opts<Target>()))
}
