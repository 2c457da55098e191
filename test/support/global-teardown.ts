import { rm } from 'node:fs/promises'
import type { TwinProcess } from './running-twin.ts'

const shared = globalThis as { twinOfTests?: TwinProcess; twinFolder?: string }

export default async (): Promise<void> => {
  await shared.twinOfTests?.stop()
  if (shared.twinFolder) await rm(shared.twinFolder, { recursive: true, force: true })
}
