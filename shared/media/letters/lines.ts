import LineBreaker from 'linebreak'

const solid = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** True if a text has characters of a script without spaces between words. */
export const hasSolidScript = (text: string): boolean => solid.test(text)

/** Splits a text at its line break opportunities (UAX 14); blanks are at the end of parts. */
export const unbrokenParts = function* (text: string): Generator<string> {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield text.slice(start, next.position)
    start = next.position
  }
}
