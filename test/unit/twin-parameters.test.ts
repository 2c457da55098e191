import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DescribeParametersCommand,
  GetParameterCommand,
  type GetParameterCommandInput,
  PutParameterCommand,
  type PutParameterCommandInput,
  SSMClient,
} from '@aws-sdk/client-ssm'
import { isAllowed } from '../../lib/twin/iam/policy.ts'
import { startParameterStore } from '../../lib/twin/ssm/server.ts'
import { counted } from '../support/partitions.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const name = '/weinkontor/twin/paypal/7'
const reader = {
  effect: 'Allow' as const,
  actions: ['ssm:GetParameter'],
  resources: ['arn:aws:ssm:eu-central-1:000000000000:parameter/weinkontor/twin/paypal/*'],
  conditions: {},
}

let folder = ''
let client: SSMClient
let store: Awaited<ReturnType<typeof startParameterStore>>
const requests: string[] = []

const clientOf = (accessKeyId: string, secretAccessKey = 'secret') =>
  new SSMClient({
    endpoint: store.url,
    region: 'eu-central-1',
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  })

const start = async () => {
  store = await startParameterStore({
    folder,
    secretOf: () => 'secret',
    allows: (key, action) => key === 'OPERATOR' || isAllowed([reader], action),
    onRequest: (key, action) => requests.push(`${key} ${action}`),
  })
  client = clientOf('OPERATOR')
}
const stop = async () => {
  client.destroy()
  await store.close()
}

beforeEach(async () => {
  folder = temporaryFolder('parameters')
  await start()
})
afterEach(async () => {
  await stop()
})

const put = (Value: string, more: Partial<PutParameterCommandInput> = {}, by = client) =>
  by
    .send(new PutParameterCommand({ Name: name, Value, Type: 'SecureString', Overwrite: true, ...more }))
    .catch(error => error.name)
const get = (more: Partial<GetParameterCommandInput> = {}, by = client) =>
  by
    .send(new GetParameterCommand({ Name: name, WithDecryption: true, ...more }))
    .then(({ Parameter }) => Parameter)
    .catch(error => error.name)

test('a parameter has versions; the last version is returned unless another is requested', async () => {
  expect(await get()).toBe('ParameterNotFound')
  expect(await put('one')).toMatchObject({ Version: 1, Tier: 'Standard' })
  expect(await put('two {"ü"}')).toMatchObject({ Version: 2 })
  expect(await get()).toMatchObject({
    Name: name,
    Type: 'SecureString',
    Value: 'two {"ü"}',
    Version: 2,
    LastModifiedDate: expect.any(Date),
  })
  expect(await get({ Name: `${name}:1` })).toMatchObject({ Value: 'one', Version: 1 })
  expect(await get({ Name: `${name}:3` })).toBe('ParameterVersionNotFound')
  expect(requests.slice(-2)).toEqual(['OPERATOR ssm:GetParameter', 'OPERATOR ssm:GetParameter'])
})

test('a value is returned decrypted on request', async () => {
  await put('in clear')
  const { Value } = await get({ WithDecryption: false })
  expect(Value).not.toContain('in clear')
})

test.each<[string, Partial<PutParameterCommandInput>, string]>([
  ['beyond 4,096 characters', { Value: 'x'.repeat(4097) }, 'ValidationException'],
  ['empty', { Value: '' }, 'ValidationException'],
  ['under a name with a version', { Name: `${name}:1` }, 'ValidationException'],
  ['under a name that is no path', { Name: '/wein kontor' }, 'ValidationException'],
  ['of another tier', { Tier: 'Advanced' }, 'ValidationException'],
  ['of another type', { Type: 'String' }, 'UnsupportedParameterType'],
  ['over a present one, when it is not to be', { Overwrite: false }, 'ParameterAlreadyExists'],
])('a value is refused %s', async (_, input, refusal) => {
  await put('x'.repeat(4096))
  expect(await put('new', input)).toBe(refusal)
  expect(await get()).toMatchObject({ Version: 1 })
})

test('a function reads the parameters of its own statements, and may do nothing else', async () => {
  await put('seven')
  await put('other', { Name: '/weinkontor/prod/paypal/7' })
  const own = clientOf('TWINFinish')
  expect(await get({}, own)).toMatchObject({ Value: 'seven' })
  expect(await get({ Name: `${name}:1` }, own)).toMatchObject({ Value: 'seven' })
  for (const Name of ['/weinkontor/prod/paypal/7', '/weinkontor/twin/other', '/weinkontor/twin2/paypal/7'])
    expect(await get({ Name }, own)).toBe('AccessDeniedException')
  expect(await put('mine', {}, own)).toBe('AccessDeniedException')
  own.destroy()
})

test('a wrong signature and an unknown operation are refused', async () => {
  const stranger = clientOf('OPERATOR', 'guessed')
  expect(await get({}, stranger)).toBe('InvalidSignatureException')
  stranger.destroy()
  const listing = client.send(new DescribeParametersCommand({}))
  await expect(listing).rejects.toMatchObject({ name: 'NotImplemented' })
})

test('parameters survive a restart of the twin, and only the owner may read their file', async () => {
  await Promise.all(counted(20).map(n => put(`value ${n}`)))
  await stop()
  await start()
  expect(await get()).toMatchObject({ Version: 20 })
  expect((await stat(join(folder, 'parameters.json'))).mode & 0o777).toBe(0o600)
})

test('a hundred versions are stored', async () => {
  for (const n of counted(101)) await put(`value ${n}`)
  expect(await get({ Name: `${name}:1` })).toBe('ParameterVersionNotFound')
  expect(await get({ Name: `${name}:2` })).toMatchObject({ Version: 2 })
})

test('an error of the folder is an internal error, whose message contains none of the values', async () => {
  await writeFile(join(folder, 'parameters.json'), 'secret garbage')
  const error = await client.send(new GetParameterCommand({ Name: name })).catch(error => error)
  expect([error.name, error.message]).toEqual(['InternalServerError', expect.not.stringContaining('secret')])
  expect(await readFile(join(folder, 'parameters.json'), 'utf8')).toBe('secret garbage')
})
