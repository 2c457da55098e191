import { DatabaseSync } from 'node:sqlite'

/**
 * Gives dynoxide's table of stream records the indexes it lacks. Without them it looks at every record there has ever
 * been to number the next one, so that each write costs more than the one before: 0.6 ms at first, 3 ms after 10,000.
 */
export const indexStream = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    database.exec(`
      CREATE INDEX IF NOT EXISTS stream_by_number ON _stream_records
        (table_name, CAST(sequence_number AS INTEGER));
      CREATE INDEX IF NOT EXISTS stream_by_shard ON _stream_records
        (table_name, shard_id, CAST(sequence_number AS INTEGER));
    `)
  } finally {
    database.close()
  }
}
