import { globSync } from 'node:fs'
import { join } from 'node:path'
import { contract, mutated, patterns } from '../mutation/test-files.ts'

const root = join(import.meta.dirname, '../..')

test.each([...mutated, ...patterns, contract])('the mutation run finds files for %s', pattern => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([])
})
