/** Writes lines for the person at the command line. */
export const say = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
