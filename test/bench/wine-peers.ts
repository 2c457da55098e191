import { DatabaseSync } from 'node:sqlite'
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { documents, tableName } from '../../shared/platform/table/table.ts'
import { rowOf } from '../../shared/search/row.ts'
import { fold } from '../../shared/values/text.ts'

const separator = '\u001f'

type Found = { total: number; ids: number[] }

const german = new Intl.Collator('de')
const usual = (a: Wine, b: Wine): number =>
  b.chstamp.localeCompare(a.chstamp) || german.compare(a.name, b.name) || a.id - b.id

/**
 * The textbook search: query the merchant's wines, let DynamoDB filter by `contains`, read page after page,
 * then sort and cut. It is case-sensitive, and finds names of fields, too.
 */
export const textbookSearch = async (merchant: MerchantId, phrase: string): Promise<Found> => {
  const wines: Wine[] = []
  let start: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'contains(doc, :phrase)',
        ExpressionAttributeValues: { ':pk': partition('wine', { merchant }), ':phrase': phrase },
        ExclusiveStartKey: start,
      }),
    )
    wines.push(...Items.map(({ doc }) => wineOf({ doc })))
    start = LastEvaluatedKey
  } while (start)
  return {
    total: wines.length,
    ids: wines
      .sort(usual)
      .map(({ id }) => id)
      .slice(0, 16),
  }
}

/** SQLite's full-text index of trigrams over the same folded text, in memory, with the columns of the usual order. */
export const trigramIndex = (wines: readonly Wine[]) => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE wines (id INTEGER PRIMARY KEY, place INTEGER);
    CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram case_sensitive 1');
  `)
  const [row, text] = [
    database.prepare('INSERT INTO wines VALUES (?, ?)'),
    database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)'),
  ]
  database.exec('BEGIN')
  for (const [place, wine] of wines.toSorted(usual).entries()) {
    row.run(wine.id, place)
    text.run(wine.id, rowOf(wine, 0).slots.join(separator))
  }
  database.exec('COMMIT')
  const meets = { match: 'texts MATCH ?', scan: 'instr(text, ?) > 0' }
  const prepared = Object.fromEntries(
    Object.entries(meets).map(([way, condition]) => [
      way,
      {
        count: database.prepare(`SELECT count(*) AS total FROM texts WHERE ${condition}`),
        page: database.prepare(
          `SELECT id FROM texts JOIN wines ON id = texts.rowid WHERE ${condition} ORDER BY place LIMIT 16`,
        ),
      },
    ]),
  )
  const size = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
  return {
    bytes: Number(size.get()?.bytes),
    search: (asked: string): Found => {
      const phrase = fold(asked)
      // A trigram index finds no text shorter than three letters.
      const isShort = [...phrase].length < 3
      const { count, page } = prepared[isShort ? 'scan' : 'match'] as (typeof prepared)[string]
      const wanted = isShort ? phrase : `"${phrase.replaceAll('"', '""')}"`
      return { total: Number(count.get(wanted)?.total), ids: page.all(wanted).map(({ id }) => Number(id)) }
    },
    close: () => database.close(),
  }
}

/** The mean length of a wine's searchable text in bytes. */
export const textBytes = (wines: readonly Wine[]): number =>
  wines.reduce((sum, wine) => sum + Buffer.byteLength(rowOf(wine, 0).slots.join(separator)), 0) / wines.length
