import { randomBytes } from 'node:crypto'
import { type JsonRequest, startJsonService } from '../iam/json-service.ts'
import { type Callers, Refusal } from '../iam/signed-service.ts'
import type { LocalServer } from '../loopback.ts'
import { parameterArn } from '../template/resolve.ts'
import { parameterStore } from './store.ts'

type GetInput = { Name?: string; WithDecryption?: boolean }
type PutInput = { Name?: string; Value?: string; Type?: string; Tier?: string; Overwrite?: boolean }

// Limit of the standard tier.
const maxCharacters = 4096

const invalid = (message: string): Refusal => new Refusal(400, 'ValidationException', message)

const parseSelector = (text = ''): { name: string; version?: number } => {
  const [, name, version] = /^(\/[\w./-]{1,1010}):?((?<=:)[1-9]\d{0,8})?$/.exec(text) ?? []
  if (!name) throw invalid('Parameter name must be a path of letters, digits and the signs . _ -')
  return { name, ...(version && { version: Number(version) }) }
}

/**
 * Parameter Store's front door on this machine, for parameters of the type SecureString: checks the signature, then the
 * caller's own IAM policy. Who may read a parameter may decrypt it, as with AWS's own key.
 */
export const startParameterStore = ({ folder, ...callers }: Callers & { folder: string }): Promise<LocalServer> => {
  const store = parameterStore(folder)

  const GetParameter = async ({ input, authorize }: JsonRequest<GetInput>): Promise<object> => {
    const { name, version } = parseSelector(input.Name)
    authorize(parameterArn(name))
    const versions = await store.versionsOf(name)
    if (versions.length === 0) throw new Refusal(400, 'ParameterNotFound', '')
    const found = version === undefined ? versions.at(-1) : versions.find(one => one.version === version)
    if (!found) throw new Refusal(400, 'ParameterVersionNotFound', `There is no version ${version} of ${name}`)
    const Parameter = {
      Name: name,
      Type: 'SecureString',
      Value: input.WithDecryption ? found.value : randomBytes(64).toString('base64'),
      Version: found.version,
      LastModifiedDate: found.modified / 1000,
      ARN: parameterArn(name),
      DataType: 'text',
    }
    return { Parameter }
  }

  const PutParameter = async ({ input, authorize }: JsonRequest<PutInput>): Promise<object> => {
    const { name, version } = parseSelector(input.Name)
    authorize(parameterArn(name))
    const { Value = '', Type, Tier = 'Standard', Overwrite = false } = input
    if (version !== undefined || Value === '') throw invalid('A parameter needs a name without a version, and a value')
    if (Value.length > maxCharacters)
      throw invalid(`Standard tier parameters support a maximum parameter value of ${maxCharacters} characters.`)
    if (Tier !== 'Standard') throw invalid('The twin keeps parameters of the standard tier alone')
    if (Type !== 'SecureString')
      throw new Refusal(400, 'UnsupportedParameterType', 'The twin keeps SecureStrings alone')
    if (!Overwrite && (await store.versionsOf(name)).length > 0)
      throw new Refusal(400, 'ParameterAlreadyExists', 'The parameter already exists.')
    return { Version: await store.add(name, Value), Tier: 'Standard' }
  }

  return startJsonService({
    service: 'ssm',
    target: 'AmazonSSM',
    fault: 'InternalServerError',
    operations: { GetParameter, PutParameter },
    ...callers,
  })
}
