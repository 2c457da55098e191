import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startParameterStore } from '../../lib/twin/ssm/server.ts'
import { parameterStore } from '../../lib/twin/ssm/store.ts'
import { afterFile } from './jest/environment.ts'

/**
 * A Parameter Store for this test file, where everybody may do everything: `environment` leads the SDK there, `put` writes
 * any text, and `asked` holds the name of each parameter that was read or written. It ends with the test file.
 */
export const startParameters = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-parameters-'))
  const asked: string[] = []
  const { url, close } = await startParameterStore({
    folder,
    secretOf: () => 'test',
    allows: (_, { resource }) => asked.push(resource.replace(/^.*:parameter/, '')) > 0,
    onRequest: () => {},
  })
  afterFile(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_SSM: url,
  }
  const { add, versionsOf } = parameterStore(folder)
  const textAt = async (name: string): Promise<string | undefined> => (await versionsOf(name)).at(-1)?.value
  return { environment, asked, put: add, textAt }
}
