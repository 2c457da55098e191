import type { Import } from './imports.ts'
import type { Measured } from './one-size.ts'
import type { Panel } from './plot.ts'
import type { Cost, Race } from './race.ts'
import type { Upkeep } from './upkeep.ts'

/** The facts needed to repeat the measurement. */
export type Circumstances = {
  command: string
  commit: string
  seed: number
  machine: string
  node: string
  sqlite: string
}

const count = (number: number): string => number.toLocaleString('en')

const digits = (ms: number): string => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toPrecision(2))

const figure = (ms: number): string => (ms < 0.0005 ? '< 0.0005' : String(Number(digits(ms))))

const megabytes = (bytes: number): string => `${figure(bytes / 1e6)} MB`

const whole = ({ parts }: Cost): number => parts.reduce((sum, part) => sum + part, 0)

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map((_, n) => (n === 0 ? '---' : '---:')), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')

/** The exponent with which a cost grows: the slope of the least squares in logarithms. */
const exponentOf = (points: readonly (readonly [size: number, ms: number])[]): number => {
  const places = points.map(([size, ms]) => [Math.log(size), Math.log(ms)] as const)
  const mean = (which: 0 | 1) => places.reduce((sum, place) => sum + place[which], 0) / places.length
  const [x, y] = [mean(0), mean(1)]
  const slope = places.reduce((sum, place) => sum + (place[0] - x) * (place[1] - y), 0)
  return slope / places.reduce((sum, place) => sum + (place[0] - x) ** 2, 0)
}

const raceOf = ({ races }: Measured, title: string): Race | undefined => races.find(race => race.title === title)

const titlesOf = (all: readonly Measured[]): string[] => all[0]?.races.map(({ title }) => title) ?? []

const namesOf = (all: readonly Measured[]): string[] =>
  all[0]?.races[0]?.costs.map(({ contestant }) => contestant) ?? []

const costOf = (one: Measured, title: string, name: string): Cost | undefined =>
  raceOf(one, title)?.costs.find(({ contestant }) => contestant === name)

const pointsOf = (all: readonly Measured[], title: string, name: string): [size: number, ms: number][] =>
  all.flatMap(one => {
    const cost = costOf(one, title, name)
    return cost ? [[one.size, whole(cost)] as [number, number]] : []
  })

/** The panels of the plot: one for each class, with a line for each contestant. */
export const panelsOf = (all: readonly Measured[]): Panel[] =>
  titlesOf(all).map(title => ({
    title,
    lines: namesOf(all).map(name => ({ name, points: pointsOf(all, title, name) })),
  }))

/** A figure; empty for a contestant that was left out. */
const known = (value: number | undefined, shown: (value: number) => string): string => (value ? shown(value) : '')

const searches = ({ size, races, compared, upkeep }: Measured): string => {
  const firstOf = (title: string) => upkeep.firsts.find(first => first.title === title)?.ms
  const heads = ['class', 'hits', 'ours, first ask', ...(races[0]?.costs.map(({ contestant }) => contestant) ?? [])]
  const rows = races.map(({ title, total, costs }) => [
    title,
    count(total),
    known(firstOf(title), figure),
    ...costs.map(({ parts }) => parts.map(figure).join(' / ')),
  ])
  const checked =
    compared > 0
      ? `All agree on totals and pages of these classes; ours and the scan also on ${compared} pieces of texts, cut anywhere.`
      : 'Peers were left out: to fill them and to ask them would have taken more than an hour.'
  return `### ${count(size)} wines\n\n${checked}\n\n${table(heads, rows)}`
}

/** The ratio of our index to a peer that is cheaper: in all, or in brackets for the page alone. */
const compared = (own: Cost | undefined, peer: Cost | undefined): string => {
  if (!own || !peer) return ''
  const [mine, theirs, page = 0] = [whole(own), whole(peer), peer.parts.at(-1)]
  if (mine >= theirs) return `${figure(mine)} : ${figure(theirs)}`
  return mine >= page ? `(${figure(mine)} : ${figure(page)})` : ''
}

const lost = (all: readonly Measured[]): string => {
  const [settled = '', edited = '', , ...peers] = namesOf(all)
  const rows = titlesOf(all).flatMap(title =>
    [settled, edited].flatMap(own =>
      peers.map(peer => {
        const cells = all.map(one => compared(costOf(one, title, own), costOf(one, title, peer)))
        return { names: [title, own, peer], cells, isLost: cells.some(cell => /^\d/.test(cell)) }
      }),
    ),
  )
  // The page alone is compared for the merged index only: the other rows would repeat it.
  const decided = rows.filter(({ names, cells, isLost }) => isLost || (names[1] === settled && cells.join('') !== ''))
  if (decided.length === 0) return 'Nowhere.'
  const heads = ['class', 'who', 'peer', ...all.map(({ size }) => count(size))]
  return table(
    heads,
    decided.map(({ names: [title = '', own = '', peer = ''], cells }) => [
      ...[title, own, peer],
      ...cells.map((cell, n) => (costOf(all[n] as Measured, title, peer) ? cell : 'not asked')),
    ]),
  )
}

/** Above, a cost grows with the number of wines, and so with that of hits. */
const linear = 0.5

const growing = (all: readonly Measured[]): string => {
  const titles = titlesOf(all).filter(title => exponentOf(pointsOf(all, title, namesOf(all)[0] ?? '')) > linear)
  return titles.length > 0 ? titles.map(title => `**${title}**`).join(', ') : 'none'
}

const exponents = (all: readonly Measured[]): string =>
  table(
    ['class', ...namesOf(all)],
    titlesOf(all).map(title => [title, ...namesOf(all).map(name => exponentOf(pointsOf(all, title, name)).toFixed(2))]),
  )

const bySize = (all: readonly Measured[], rows: [title: string, of: (one: Measured) => string][]): string =>
  table(
    ['', ...all.map(({ size }) => count(size))],
    rows.map(([title, of]) => [title, ...all.map(of)]),
  )

const memory = (all: readonly Measured[]): string =>
  bySize(all, [
    ['searched text a wine, bytes', ({ textBytes }) => known(textBytes, bytes => bytes.toFixed(0))],
    ['ours, from its snapshot, searched twice', ({ upkeep }) => megabytes(upkeep.start.held)],
    ['after one search of each class', ({ upkeep }) => megabytes(upkeep.start.heldAfter)],
    ['by its own estimate', ({ upkeep }) => megabytes(upkeep.start.estimate)],
    ['most of its process while it loads', ({ upkeep }) => megabytes(upkeep.start.peak)],
    ...namesOf(all)
      .slice(2)
      .map((name): [string, (one: Measured) => string] => [
        name,
        ({ built }) => known(built.find(({ contestant }) => contestant === name)?.bytes, megabytes),
      ]),
  ])

const building = (all: readonly Measured[]): string =>
  bySize(all, [
    ['ours: taking all wines, 500 at a time', one => figure(one.building.applying)],
    ['ours: merging', one => figure(one.building.merging)],
    ...namesOf(all)
      .slice(3)
      .map((name): [string, (one: Measured) => string] => [
        name,
        ({ built }) => known(built.find(({ contestant }) => contestant === name)?.build, figure),
      ]),
    ['packing a snapshot', ({ upkeep }) => figure(upkeep.packing)],
    ['size of a snapshot', ({ upkeep }) => megabytes(upkeep.packed)],
  ])

const starting = (all: readonly Measured[]): string =>
  bySize(all, [
    ['reading and unpacking what comes first', ({ upkeep }) => figure(upkeep.start.unpacking)],
    ['the first search (riesling)', ({ upkeep }) => figure(upkeep.start.firstSearch)],
    ['both, by the wall', ({ upkeep }) => figure(upkeep.start.wall)],
    ['read of the snapshot by then', ({ upkeep }) => megabytes(upkeep.start.firstRead)],
    ['the second search (rotwein)', ({ upkeep }) => figure(upkeep.start.secondSearch)],
    ['then one search of each class', ({ upkeep }) => figure(upkeep.start.allFirst)],
  ])

const piecesOf = ({ pieces, piecesEdited, piecesMerged }: Upkeep): string =>
  [pieces, piecesEdited, piecesMerged].join(' / ')

const updating = (all: readonly Measured[]): string =>
  bySize(all, [
    ['one edit', ({ upkeep }) => figure(upkeep.edit)],
    ['256 edits, one by one', ({ upkeep }) => figure(upkeep.edits256)],
    ['the worst of the first 200 edits', ({ upkeep }) => figure(upkeep.worst200)],
    ['an edit with which those that wait have become a piece', ({ upkeep }) => figure(upkeep.flush)],
    ['the first search after that', ({ upkeep }) => figure(upkeep.searchAfterFlush)],
    ['the worst of 5,000 edits', ({ upkeep }) => figure(upkeep.worst)],
    ['a search (riesling) after all of them', ({ upkeep }) => figure(upkeep.searchEdited)],
    ['merging', ({ upkeep }) => figure(upkeep.merging)],
    ['a search after that', ({ upkeep }) => figure(upkeep.searchMerged)],
    ['pieces: before, with all edits, merged', ({ upkeep }) => piecesOf(upkeep)],
  ])

const importing = (imports: readonly Import[]): string =>
  table(
    ['module', 'KB', 'ms', 'CPU ms'],
    imports.map(({ name, bytes, ms, cpu }) => [name, (bytes / 1024).toFixed(0), ms.toFixed(0), cpu.toFixed(0)]),
  )

const commitsOf = (all: readonly Measured[]): string => {
  const byCommit = Map.groupBy(all, ({ commit }) => commit)
  const sizesOf = (some: readonly Measured[]) => some.map(({ size }) => count(size)).join(', ')
  if (byCommit.size === 1) return `commit ${all[0]?.commit}`
  return [...byCommit].map(([commit, some]) => `commit ${commit} (${sizesOf(some)} wines)`).join(', ')
}

/** The whole report as Markdown. */
export const report = (all: readonly Measured[], imports: readonly Import[], made: Circumstances): string => {
  const server = all[0]?.postgres
  const peer = server ? `PostgreSQL ${server}` : 'PostgreSQL was not there (Debian: `apt-get install postgresql`)'
  return `# What a search costs

Made by \`${made.command}\`; nothing here is written by hand. Measured at ${commitsOf(all)}; seed ${made.seed}, ${made.machine},
Node ${made.node}, SQLite ${made.sqlite}, ${peer}.

All times are milliseconds of CPU, medians of 3 to 11 rounds after a warm-up; the contestants take turns, so other work on
the machine slows all of them alike. Our index has answered 100 searches before. The **first ask** of a class is that of a new
instance in a process of its own, with the parts of the snapshot that it reads and unpacks. A search returns the exact number
of hits and the ids of a page of 16. Of two numbers the first is for counting and the second for the page. The wines are the
demo's, varied by a seeded random generator: names, vintages, prices, numbers, times, some of the words, tasting notes.

- **ours**: the index of a scope, merged as for a snapshot; **200 edits later**: the same, with 200 wines changed since.
- **textbook scan**: looks at every wine, sorts the hits, cuts. Its wines are in memory and folded: it is spared the reading.
- **SQLite FTS5**: in memory, tokenizer \`trigram\`; a wine's row is its place in the default order, which so needs no sorting.
- **PostgreSQL pg_trgm**: GIN indexes, a column with the place and an index on it, everything in memory, no parallel
  workers; the CPU is that of the server's process alone, planning included.

![CPU by number of wines](search-report.svg)

## Searches

${all.map(searches).join('\n\n')}

## Where ours is not the cheapest

In these classes, on this data; other texts have other words, and other phrases other stop words.

Ours to the left, the peer's count and page together to the right, by number of wines. In brackets the peer is cheaper only as
long as it does not count the hits: that is its page alone. An empty cell: ours is cheaper either way.

${lost(all)}

## How costs grow

The exponent over the sizes, least squares in logarithms: 0 is a cost that stays, 1 one that grows like the number of wines. The
hits of a class grow like the wines. A set of rows is counted 32 rows at a time, which shows in every class, but stays below
a millisecond. If hits are the union of many lists, or the words of a phrase also occur apart from each other, an exact
number touches each hit: those classes must grow like their hits. Ours grow with an exponent above ${linear}: ${growing(all)}.

${exponents(all)}

## Memory

${memory(all)}

## Building, and a snapshot

${building(all)}

## A new instance

In processes of their own, medians of 5 or 3; without the download of the snapshot.

${starting(all)}

## Edits

On an index from a snapshot, an edit at a time; what other threads of the process do meanwhile counts as well.

${updating(all)}

## Imports of functions

As they are bundled for deployment, in processes of their own by turns, there and back, medians of 31; KB are those read at
the start, ms by the wall.

${importing(imports)}
`
}
