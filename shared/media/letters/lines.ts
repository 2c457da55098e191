import LineBreaker from 'linebreak'

const solid = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** True if a text has characters of a script without spaces between words. */
export const hasSolidScript = (text: string): boolean => solid.test(text)

/** A text in parts between which a line may end (UAX 14); blanks stay at the end of theirs. */
export const unbrokenParts = function* (text: string): Generator<string> {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield text.slice(start, next.position)
    start = next.position
  }
}
