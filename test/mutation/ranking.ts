import { basename, dirname } from 'node:path'

type Record = { kills: number; milliseconds: number }

// A test that has not run yet may see a mutant, too; sooner if it is named as the source or its folder.
const unasked = 0.1
const unaskedNamesake = 0.5

/** Remembers who saw the mutants of a source, a test or a whole file, and how long that took. */
export class Ranking {
  readonly #records = new Map<string, Record>()

  note(source: string, asked: string, milliseconds: number, isKilled: boolean): void {
    const name = `${source} ${asked}`
    const before = this.#records.get(name) ?? { kills: 0, milliseconds: 0 }
    const kills = before.kills + (isKilled ? 1 : 0)
    this.#records.set(name, { kills, milliseconds: before.milliseconds + milliseconds })
  }

  /** How many mutants of the source it kills in a millisecond, when it is expected to take that long. */
  worth(source: string, asked: string, expected: number): number {
    const names = [source, dirname(source)].map(name => `/${basename(name, '.ts')}`)
    const prior = names.some(name => asked.includes(name)) ? unaskedNamesake : unasked
    const { kills, milliseconds } = this.#records.get(`${source} ${asked}`) ?? { kills: 0, milliseconds: 0 }
    return (kills + prior) / (milliseconds + expected)
  }
}
