import type { startTable } from './table.ts'

const shared = globalThis as { tableOfTests?: Awaited<ReturnType<typeof startTable>> }

export default async (): Promise<void> => {
  await shared.tableOfTests?.close()
}
