import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** A clock that tests set, in milliseconds. */
export type Clock = { now: number }

/** From now on time passes only in pauses, and random values are constant, until the tests of the file are over. */
export const useFakeClock = (now: number): Clock => {
  const clock = { now }
  const kept = { now: Date.now, random: Math.random, pause: timers.setTimeout }
  Date.now = () => clock.now
  Math.random = () => 0.5
  timers.setTimeout = (async (milliseconds: number) => {
    clock.now += milliseconds
  }) as never
  syncBuiltinESMExports()
  afterAll(() => {
    Date.now = kept.now
    Math.random = kept.random
    timers.setTimeout = kept.pause
    syncBuiltinESMExports()
  })
  return clock
}

/** From now on the random source of integers gives the value that a test sets by hand, until its tests are over. */
export const pinRandomInt = (value: number): { value: number } => {
  const chance = { value }
  const { randomInt } = crypto
  const pin = (source: unknown) => {
    crypto.randomInt = source as typeof randomInt
    syncBuiltinESMExports()
  }
  pin(() => chance.value)
  afterAll(() => pin(randomInt))
  return chance
}
