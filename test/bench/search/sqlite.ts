import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Asked, pageSize, skipped } from './asked.ts'
import { type Contestant, cpuOf, type Entry } from './contestant.ts'

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

// A wine's row id is its position in the default order, so the index returns hits without sorting them.
const tables = `
  CREATE TABLE wines (place INTEGER PRIMARY KEY, id INTEGER, country TEXT, gross REAL);
  CREATE VIRTUAL TABLE texts USING fts5(name, region, rest, tokenize = 'trigram case_sensitive 1');
`
const indexes = `
  CREATE INDEX by_country ON wines (country, place);
  CREATE INDEX by_gross ON wines (gross, id);
  INSERT INTO texts (texts) VALUES ('optimize');
  ANALYZE;
`

type Condition = { from: string; where: string; given: SQLInputValue[] }

const conditionOf = ({ text, fields, country }: Asked): Condition => {
  const from = 'texts JOIN wines ON place = texts.rowid'
  // A trigram index finds no text shorter than three letters.
  if (text !== undefined && [...text].length < 3) {
    const where = 'instr(name, ?) > 0 OR instr(region, ?) > 0 OR instr(rest, ?) > 0'
    return { from, where, given: [text, text, text] }
  }
  if (text !== undefined) return { from, where: 'texts MATCH ?', given: [quoted(text)] }
  if (fields) {
    const given = [`name : ${quoted(fields.name)} AND region : ${quoted(fields.place)}`]
    return { from, where: 'texts MATCH ?', given }
  }
  return { from: 'wines', where: country ? 'country = ?' : 'true', given: country ? [country] : [] }
}

/** SQLite in memory: a full-text index of trigrams over the same folded texts, and indexes for filter and order. */
export const sqlite = (entries: readonly Entry[]): Contestant => {
  const database = new DatabaseSync(':memory:')
  const build = cpuOf(1, () => {
    database.exec(tables)
    const wine = database.prepare('INSERT INTO wines VALUES (?, ?, ?, ?)')
    const text = database.prepare('INSERT INTO texts (rowid, name, region, rest) VALUES (?, ?, ?, ?)')
    database.exec('BEGIN')
    for (const { place, id, country, gross, texts } of entries) {
      wine.run(place, id, country, gross)
      text.run(place, ...texts)
    }
    database.exec('COMMIT')
    database.exec(indexes)
  })
  const known = new Map<Asked, { count: () => number; page: () => number[] }>()
  const statements = (asked: Asked) => {
    const made = known.get(asked)
    if (made) return made
    const { from, where, given } = conditionOf(asked)
    // Counting does not need the other table.
    const count = database.prepare(`SELECT count(*) AS total FROM ${from.split(' ')[0]} WHERE ${where}`)
    const isOfTexts = from !== 'wines'
    const order = asked.byGross ? 'gross, id' : isOfTexts ? 'texts.rowid' : 'place'
    const page = database.prepare(
      `SELECT id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${skipped(asked)}`,
    )
    const ready = {
      count: () => Number(count.get(...given)?.total),
      page: () => page.all(...given).map(({ id }) => Number(id)),
    }
    known.set(asked, ready)
    return ready
  }
  const size = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
  return {
    name: 'SQLite FTS5',
    answer: async asked => ({ total: statements(asked).count(), ids: statements(asked).page() }),
    cpu: async (asked, times) => [cpuOf(times, statements(asked).count), cpuOf(times, statements(asked).page)],
    build,
    bytes: Number(size.get()?.bytes),
    close: async () => database.close(),
  }
}
