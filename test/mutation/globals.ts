import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

// Globals that tests replace, some of them for as long as their file lasts.
const places: readonly [object, string][] = [
  [process, 'env'],
  [process, 'exit'],
  [Date, 'now'],
  [Math, 'random'],
  [timers, 'setTimeout'],
  [globalThis, 'fetch'],
  [AbortSignal, 'timeout'],
]

/** The values of a test file's globals, while other files have theirs. */
export type Globals = unknown[]

const present = (): Globals => places.map(([object, name]) => Reflect.get(object, name))

/** The globals of a file that has not changed any; its environment variables are its own. */
export const freshGlobals = (): Globals => {
  const [environment, ...others] = present()
  return [{ ...(environment as object) }, ...others]
}

/** Puts a file's globals in their places; returns what was there before. */
export const exchange = (globals: Globals): Globals => {
  const before = present()
  for (const [n, [object, name]] of places.entries()) Reflect.set(object, name, globals[n])
  syncBuiltinESMExports()
  return before
}
