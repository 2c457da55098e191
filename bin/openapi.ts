import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectionOf } from '../lib/postman.ts'
import { openApiDocument } from '../shared/reference/document.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'http://localhost:3000' },
    folder: { type: 'string', default: join(import.meta.dirname, '../dist') },
  },
})

if (!URL.canParse(values.server)) {
  process.stderr.write(`--server must be a URL such as https://wine.example, not ${values.server}\n`)
  process.exit(1)
}

const document = openApiDocument({ baseUrl: values.server.replace(/\/$/, '') })
const files = {
  'openapi.json': document,
  'weinkontor.postman_collection.json': collectionOf(document),
}
mkdirSync(values.folder, { recursive: true })
for (const [name, content] of Object.entries(files)) {
  const file = join(values.folder, name)
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
  process.stdout.write(`${file}\n`)
}
