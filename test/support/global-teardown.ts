import { rm } from 'node:fs/promises'
import type { LocalServer } from '../../lib/twin/loopback.ts'
import type { TwinProcess } from './running-twin.ts'

const shared = globalThis as {
  startOfTests?: Promise<void>
  twinOfTests?: TwinProcess
  twinFolder?: string
  payPalOfTests?: LocalServer
}

export default async (): Promise<void> => {
  const { twinFolder } = shared
  if (!twinFolder) return
  delete shared.twinFolder
  await shared.startOfTests
  await shared.twinOfTests?.stop()
  await shared.payPalOfTests?.close()
  await rm(twinFolder, { recursive: true, force: true })
}
