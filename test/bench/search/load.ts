import { setTimeout as pause } from 'node:timers/promises'
import type { Search, SearchIndex } from '../../../shared/search/search-index.ts'
import { classesOf, searchOf } from './asked.ts'
import { corpus } from './corpus.ts'
import { asked, opened } from './snapshot.ts'
import type { Start } from './upkeep.ts'

// Runs in its own process, as a new instance: reads the needed parts of a snapshot, searches, and prints the cost.

const [, , file = ''] = process.argv

const held = async (): Promise<number> => {
  for (let n = 0; n < 3; n++) {
    globalThis.gc?.()
    await pause(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const cpuOf = async (act: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const empty = await held()
const begun = performance.now()
let loaded: Awaited<ReturnType<typeof opened>> | undefined
const unpacking = await cpuOf(async () => {
  loaded = await opened(file)
})
const { index, read } = loaded as { index: SearchIndex; read: () => number }
const search = (wanted: Search) => asked(index, () => index.search(wanted))
const find = (anywhere: string) => search({ query: { anywhere }, start: 0, max: 16 })
const firstSearch = await cpuOf(() => find('riesling'))
const wall = performance.now() - begun
const firstRead = read()
const secondSearch = await cpuOf(() => find('rotwein'))
const peak = process.resourceUsage().maxRSS * 1024
const afterTwo = await held()
const classes = classesOf(corpus(), index.size).map(searchOf)
const before = await held()
const allFirst = await cpuOf(async () => {
  for (const one of classes) await search(one)
})
const after = await held()
const startFigures: Start = {
  ...{ unpacking, firstSearch, secondSearch, allFirst, wall, peak, firstRead },
  ...{ held: afterTwo - empty, heldAfter: after - before + afterTwo - empty, estimate: index.bytes },
}
process.stdout.write(JSON.stringify(startFigures))
