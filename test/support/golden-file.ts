import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** True if golden files are rewritten instead of compared. */
export const isUpdating = Boolean(process.env.UPDATE)

/** JSON with the fields in alphabetical order, whatever order they are stored in. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/**
 * Outcomes that are recorded in a text file, in blocks of a title and lines, so that a change of them is read line by
 * line. With UPDATE=1 the file is rewritten.
 */
export const goldenFile = (file: string) => {
  const blocks = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split(/\n\n(?=# )/)
    : []
  const written = new Map(
    blocks.map(block => {
      const [title = '', ...lines] = block.split('\n')
      return [title.slice(2), lines] as const
    }),
  )
  const renewed: string[] = []
  if (isUpdating) afterAll(() => writeFileSync(file, `${renewed.join('\n\n')}\n`))
  return {
    titles: (): string[] => [...written.keys()],
    linesOf: (title: string): string[] => written.get(title) ?? [],
    renew: (title: string, lines: readonly string[]) => renewed.push([`# ${title}`, ...lines].join('\n')),
  }
}
