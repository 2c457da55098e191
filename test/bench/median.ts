/** The middle of some numbers. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Writes a table whose columns are aligned, the first to the left. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const aligned = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  process.stdout.write(`${rows.map(row => row.map(aligned).join('  ')).join('\n')}\n`)
}
