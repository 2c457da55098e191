import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const parts = ['bin', 'lib', 'shared', 'functions', 'package.json', 'package-lock.json', 'cdk.json']

/** A copy of the checkout whose sources a test may change; it goes when the tests of the file are over. */
export const copySources = (): { folder: string; write(path: string, text: string): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-sources-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of [...parts, 'tsconfig.json']) cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return { folder, write: (path, text) => writeFileSync(join(folder, path), text) }
}
