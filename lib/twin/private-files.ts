import { chmod, lstat, mkdir } from 'node:fs/promises'

/** Lets nobody but its owner use a file or folder; what is not there, or is something else, stays as it is. */
export const makePrivate = async (path: string): Promise<void> => {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile()) await chmod(path, 0o600)
  if (found?.isDirectory()) await chmod(path, 0o700)
}

/** Makes a folder that nobody but its owner may use, where it is missing; an existing folder becomes private. */
export const makePrivateFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await makePrivate(path)
}
