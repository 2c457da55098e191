import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTables } from '../lib/docs.ts'

const readme = join(import.meta.dirname, '../README.md')

writeFileSync(readme, withTables(readFileSync(readme, 'utf8')))
