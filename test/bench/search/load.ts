import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { classesOf, searchOf } from './asked.ts'
import { cpuOf } from './contestant.ts'
import { corpus } from './corpus.ts'
import { unpacked } from './snapshot.ts'
import type { Start } from './upkeep.ts'

// A process of its own, as a new instance: unpacks the snapshot it is given, searches, and tells what that took.

const [, , file = ''] = process.argv

const held = async (): Promise<number> => {
  for (let n = 0; n < 3; n++) {
    globalThis.gc?.()
    await pause(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const empty = await held()
const begun = performance.now()
// Let go before memory is measured.
const load = () => unpacked(readFileSync(file))
let index: ReturnType<typeof load> | undefined
const unpacking = cpuOf(1, () => {
  index = load()
})
const search = (anywhere: string) => index?.search({ query: { anywhere }, start: 0, max: 16 })
const firstSearch = cpuOf(1, () => search('riesling'))
const wall = performance.now() - begun
const secondSearch = cpuOf(1, () => search('rotwein'))
const peak = process.resourceUsage().maxRSS * 1024
const loaded = await held()
const classes = classesOf(corpus(), index?.size ?? 0).map(searchOf)
const before = await held()
const allFirst = cpuOf(1, () => {
  for (const one of classes) index?.search(one)
})
const after = await held()
const told: Start = {
  ...{ unpacking, firstSearch, secondSearch, allFirst, wall, peak },
  ...{ held: loaded - empty, heldAfter: after - before + loaded - empty, estimate: index?.bytes ?? 0 },
}
process.stdout.write(JSON.stringify(told))
