const shared = globalThis as { closeTables?: () => Promise<void> }

export default async (): Promise<void> => {
  await shared.closeTables?.()
}
