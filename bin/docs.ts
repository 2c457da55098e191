import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventsDocument, withTables } from '../lib/docs.ts'

const root = join(import.meta.dirname, '..')
const readme = join(root, 'functions/README.md')

writeFileSync(readme, withTables(readFileSync(readme, 'utf8')))
writeFileSync(join(root, 'shared/contract/events.schema.json'), eventsDocument())
