import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFiles } from '../lib/client/build/package.ts'
import { generatedSources } from '../lib/client/build/sources.ts'

const folder = join(import.meta.dirname, '../lib/client')
const dist = join(folder, 'dist')

for (const [name, text] of Object.entries(await generatedSources())) writeFileSync(join(folder, name), text)

const files = await packageFiles()
mkdirSync(dist, { recursive: true })
for (const name of readdirSync(dist)) if (!Object.hasOwn(files, name)) rmSync(join(dist, name))
for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text)
