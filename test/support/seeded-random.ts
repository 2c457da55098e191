/** Numbers from 0 to 1 that are the same for the same seed, and a choice by them. */
export const seededRandom = () => {
  let state = 1
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    random,
    any: <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T,
    begin: (seed: number): void => {
      state = seed
    },
  }
}
