import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { noise } from '../support/picture-files.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { median, printTable } from './median.ts'

// Measures the time for a stored picture while COUNT other sizes of one large picture are requested at once.

const count = Number(process.env.COUNT ?? 80)
const rounds = Number(process.env.ROUNDS ?? 3)

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bench-'))
const twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no', INSTANCES: '4' } })
actAsOperator(twin.connection)

// As smooth as a photograph.
const photograph = await sharp(await noise(1500, 2000))
  .blur(3)
  .toBuffer()
const kept = async (id: number): Promise<string> => {
  const picture = await keepPicture('wine', String(id), photograph)
  if ('refused' in picture) throw new Error(picture.refused)
  return twin.connection.url + picture.path
}

let refused = 0
/** Milliseconds until a picture or the gateway's timeout is returned. */
const timed = async (url: string): Promise<number> => {
  const start = performance.now()
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (answer.status !== 200) refused++
  return performance.now() - start
}

/** Sizes between 1 and 2000, half of them widths; others for each `shift` up to 24. */
const sizes = (shift: number): string[] =>
  Array.from({ length: count }, (_, n) => `${n % 2 ? 'height' : 'width'}=${1 + shift + Math.floor((n * 1975) / count)}`)

const stored = `${await kept(1)}?height=320`
await timed(stored)
/** Milliseconds for the stored picture while all sizes of another one are requested. */
const beside = async (other: string, shift: number): Promise<number> => {
  const asked = sizes(shift).map(size => timed(`${other}?${size}`))
  const waited = await timed(stored)
  await Promise.all(asked)
  return waited
}

const alone = await Promise.all(Array.from({ length: 20 }, () => timed(stored)))
const [first, second]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  const other = await kept(2 + round)
  first.push(await beside(other, 0))
  second.push(await beside(other, 12))
}
await twin.stop()
await rm(folder, { recursive: true, force: true })
printTable([
  ['20 at once', `beside ${count} sizes`, `beside ${count} more of the same picture`],
  [alone, first, second].map(times => `${median(times).toFixed(0)} ms`),
])
process.stdout.write(`${refused} requests were not answered with a picture\n`)
