import { writeFileSync } from 'node:fs'
import { chanceOf } from '../../support/indexed-wines.ts'
import { classesOf } from './asked.ts'
import { type Contestant, entriesOf } from './contestant.ts'
import { corpus, seed } from './corpus.ts'
import { buildIndex, ours, withEdits } from './ours.ts'
import { postgres, programs } from './postgres.ts'
import { compare, type Race, race } from './race.ts'
import { scan } from './scan.ts'
import { sqlite } from './sqlite.ts'
import { type Upkeep, upkeepOf } from './upkeep.ts'

// One size in a process of its own, so that no size pays for the garbage of another: writes a file of JSON.

/** All that is measured of one size. */
export type Measured = {
  size: number
  commit: string
  races: Race[]
  built: { contestant: string; build: number; bytes: number }[]
  building: { applying: number; merging: number }
  upkeep: Upkeep
  textBytes: number
  /** So many more phrases were compared. */
  compared: number
  postgres: string | undefined
  /** Whether scan and server were left out, whose turns would have taken an hour. */
  isShort: boolean
}

// Of more wines a scan takes seconds for each search, and the server half an hour to be filled.
const mostForAll = 500_000

const measure = async (size: number, commit: string): Promise<Measured> => {
  const wines = corpus()
  const say = (text: string) => process.stderr.write(`${size}: ${text}\n`)
  const entries = entriesOf(wines.wineOf, size)
  const { index, ...building } = buildIndex(wines, size)
  say('built')
  const upkeep = upkeepOf(index)
  say('kept')
  const own = ours('ours', index, building.applying + building.merging)
  const isShort = size > mostForAll
  const scanning = scan(entries)
  const quick = [own, ours('ours, 200 edits later', withEdits(index, wines), 0)]
  const server = programs && !isShort ? await postgres(entries, programs) : undefined
  const scans = isShort ? [] : [scanning]
  const contestants: Contestant[] = [...quick, ...scans, sqlite(entries), ...(server ? [server] : [])]
  say('peers built')
  const classes = classesOf(wines, size)
  const totals: number[] = []
  for (const asked of classes) totals.push(await compare(contestants, asked))
  const chance = chanceOf(seed)
  const compared = Math.max(isShort ? 8 : 20, Math.min(400, Math.round(4_000_000 / size)))
  for (let n = 0; n < compared; n++) {
    const texts = entries[chance.below(size)]?.texts.join('\u001f').split('\u001f') ?? []
    const text = chance.pick(texts)
    const start = chance.below(text.length)
    const piece = text.slice(start, start + chance.pick([1, 2, 3, 4, 6, 10, 20, 60])).toWellFormed()
    await compare([scanning, ...quick], { title: 'piece', text: piece })
  }
  say('all agree')
  const races: Race[] = []
  for (const [n, asked] of classes.entries()) {
    const made = await race(contestants, asked, totals[n] ?? 0)
    races.push(made)
    say(`${asked.title} ${made.costs.map(({ parts }) => parts.map(ms => ms.toPrecision(3)).join(' / ')).join(', ')}`)
  }
  for (const { close } of contestants) await close()
  const built = contestants.map(({ name, build, bytes }) => ({ contestant: name, build, bytes }))
  const textBytes = scanning.bytes / size
  return { size, commit, races, built, building, upkeep, textBytes, compared, postgres: server?.version, isShort }
}

// So that a server which was started ends as well.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const [, , size = '2000', file = '', commit = ''] = process.argv
writeFileSync(file, JSON.stringify(await measure(Number(size), commit)))
