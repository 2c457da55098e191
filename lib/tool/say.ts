/** Writes lines to stdout. */
export const say = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
