/** What the answer of a list route says of its page: `next` tells where the list goes on when a page ends early. */
export type Page = {
  data: readonly unknown[]
  totalCount: number
  pages: { current: number; total: number; size: number; next?: { start: number } }
}

type Fields = Readonly<Record<string, unknown>>

/** Where the page after this one begins, as the number of records before it; undefined after the last. */
const nextStart = ({ data, totalCount, pages }: Page, fields: Fields): number | undefined => {
  if (data.length === 0) return undefined
  if (pages.next) return pages.next.start
  // A list that is asked by its start says where it goes on, up to its end.
  if (fields.start !== undefined && fields.start !== null) return undefined
  // Counted by what came, not by the number of the page: some lists have no pages by number.
  const end = (pages.current - 1) * pages.size + data.length
  return end < totalCount ? end : undefined
}

/**
 * The answers of a list from the page that `fields` asks for to the last one. Throws when an answer would lead back, and
 * whatever `ask` throws.
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

/**
 * The records of pages, each once and `limit` at most: one that moved to a later page, because others came before it, is
 * not given again.
 */
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
      // Before the next page is asked for.
      if (given >= limit) return
    }
  }
}
