/** The answer of a list route; `pages.next` is where the list continues if a page ends early. */
export type Page = {
  data: readonly unknown[]
  totalCount: number
  pages: { current: number; total: number; size: number; next?: { start: number } }
}

type Fields = Readonly<Record<string, unknown>>

/** The number of records before the next page; undefined after the last. */
const nextStart = ({ data, totalCount, pages }: Page, fields: Fields): number | undefined => {
  if (data.length === 0) return undefined
  if (pages.next) return pages.next.start
  // An answer to a request with a start has `next` unless it is the last.
  if (fields.start !== undefined && fields.start !== null) return undefined
  // From the received records, not from the page's number: some lists ignore page numbers.
  const end = (pages.current - 1) * pages.size + data.length
  return end < totalCount ? end : undefined
}

/**
 * Yields the answers of a list, from the page of `fields` to the last page. Throws if an answer leads back, and as
 * `ask`.
 */
export async function* pagesOf<P extends Page>(ask: (fields: Fields) => Promise<P>, fields: Fields): AsyncGenerator<P> {
  const { page: _, ...lasting } = fields
  let asked = fields
  let before = -1
  while (true) {
    const answer = await ask(asked)
    yield answer
    const start = nextStart(answer, asked)
    if (start === undefined) return
    if (start <= before) throw new Error(`a list goes on at ${start}, where it has been`)
    before = start
    asked = { ...lasting, start }
  }
}

/** Yields the records of pages, `limit` at most. A record that moves to a later page meanwhile is yielded once. */
export async function* recordsOf(
  pages: AsyncIterable<Page>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown> {
  if (limit <= 0) return
  let given = 0
  const seen = new Set<unknown>()
  for await (const { data } of pages) {
    for (const record of data) {
      const { id } = record as { id?: unknown }
      if (id !== undefined && seen.has(id)) continue
      seen.add(id)
      yield record
      given++
      // Before the next page is requested.
      if (given >= limit) return
    }
  }
}
