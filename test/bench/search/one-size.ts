import { writeFileSync } from 'node:fs'
import { chanceOf } from '../../support/indexed-wines.ts'
import { type Asked, classesOf } from './asked.ts'
import { type Contestant, type Entry, entriesOf } from './contestant.ts'
import { corpus, seed } from './corpus.ts'
import { buildIndex, ours, withEdits } from './ours.ts'
import { postgres, programs } from './postgres.ts'
import { compare, type Race, race } from './race.ts'
import { scan } from './scan.ts'
import { sqlite } from './sqlite.ts'
import { type Upkeep, upkeepOf } from './upkeep.ts'

// Measures one size in its own process, so that garbage of another size has no effect; writes a JSON file.

/** All that is measured of one size. */
export type Measured = {
  size: number
  commit: string
  races: Race[]
  built: { contestant: string; build: number; bytes: number }[]
  building: { applying: number; merging: number }
  upkeep: Upkeep
  textBytes: number
  /** The number of further phrases that were compared; 0 without peers. */
  compared: number
  postgres?: string
}

// Above this size peers are left out: a scan takes seconds for each search, and filling the others most of an hour.
const maxForAll = 500_000

const say = (text: string) => process.stderr.write(`${text}\n`)

/** The result of each class; all contestants agree on it. */
const raceAll = async (contestants: readonly Contestant[], classes: readonly Asked[]): Promise<Race[]> => {
  const races: Race[] = []
  for (const asked of classes) {
    const made = await race(contestants, asked, await compare(contestants, asked))
    races.push(made)
    say(`${asked.title} ${made.costs.map(({ parts }) => parts.map(ms => ms.toPrecision(3)).join(' / ')).join(', ')}`)
  }
  return races
}

/** Compares the contestants' answers to random pieces of texts; returns their number. */
const compareSome = async (contestants: readonly Contestant[], entries: readonly Entry[]): Promise<number> => {
  const chance = chanceOf(seed)
  const compared = Math.max(20, Math.min(400, Math.round(4_000_000 / entries.length)))
  for (let n = 0; n < compared; n++) {
    const texts = entries[chance.below(entries.length)]?.texts.join('\u001f').split('\u001f') ?? []
    const text = chance.pick(texts)
    const start = chance.below(text.length)
    const piece = text.slice(start, start + chance.pick([1, 2, 3, 4, 6, 10, 20, 60])).toWellFormed()
    await compare(contestants, { title: 'piece', text: piece })
  }
  return compared
}

const builtOf = (contestants: readonly Contestant[]): Measured['built'] =>
  contestants.map(({ name, build, bytes }) => ({ contestant: name, build, bytes }))

const measure = async (size: number, commit: string): Promise<Measured> => {
  const wines = corpus()
  const { index, ...building } = buildIndex(wines, size)
  say(`${size}: built`)
  const upkeep = upkeepOf(index)
  say('kept')
  const own = ours('ours', index, building.applying + building.merging)
  const quick = [own, ours('ours, 200 edits later', withEdits(index, wines), 0)]
  const classes = classesOf(wines, size)
  const made = { size, commit, building, upkeep }
  if (size > maxForAll)
    return { ...made, races: await raceAll(quick, classes), built: builtOf(quick), textBytes: 0, compared: 0 }
  const entries = entriesOf(wines.wineOf, size)
  const scanning = scan(entries)
  const server = programs ? await postgres(entries, programs) : undefined
  const contestants: Contestant[] = [...quick, scanning, sqlite(entries), ...(server ? [server] : [])]
  say('peers built')
  const compared = await compareSome([scanning, ...quick], entries)
  const races = await raceAll(contestants, classes)
  for (const { close } of contestants) await close()
  const textBytes = scanning.bytes / size
  return {
    ...made,
    races,
    built: builtOf(contestants),
    textBytes,
    compared,
    ...(server && { postgres: server.version }),
  }
}

// Also ends a server that was started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const [, , size = '2000', file = '', commit = ''] = process.argv
writeFileSync(file, JSON.stringify(await measure(Number(size), commit)))
