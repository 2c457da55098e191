import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DynamoDBClient, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { build } from 'esbuild'
import { freePort } from '../../lib/twin/dynamodb/process.ts'
import { startTwin, type Twin } from '../../lib/twin/twin.ts'
import { seedBuild } from '../support/running-twin.ts'
import { stubBundles } from '../support/stub-bundles.ts'

const tellEnvironment = 'export const handler = async () => ({ ...process.env })'
const echo = 'export const handler = async event => event'

let twin: Twin
let folder: string
let bundles: string

const bundled = async (file: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../support/fixtures', file)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
  })
  return outputFiles[0]?.text ?? ''
}

beforeAll(async () => {
  const attempts = await bundled('attempts.ts')
  bundles = stubBundles({
    'service/login': attempts,
    'service/addresses/get': attempts,
    'service/addresses/add': attempts,
    'service/addresses/getByClient': attempts,
    'service/wines/getExpertise': attempts,
    'service/orders/get': tellEnvironment,
    'PDF/[id]/[file]': tellEnvironment,
    'service/orders/add': echo,
    unknown: echo,
  })
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-twin-'))
  process.env.A_SECRET_OF_THIS_PROCESS = 'must stay here'
  await seedBuild(folder)
  twin = await startTwin({ port: 0, folder, bundles })
})

afterAll(async () => {
  await twin.close()
  await rm(folder, { recursive: true, force: true })
  await rm(bundles, { recursive: true, force: true })
})

const ask = async (path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(twin.connection.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bucket: twin.connection.bucket }),
  })
  return (await response.json()) as Record<string, unknown>
}

/** Returns the attempts of the fixture that a function may do; the rest is denied as AWS denies it. */
const allowedTo = async (path: string): Promise<string[]> => {
  const outcomes = Object.entries(await ask(path))
  for (const [name, outcome] of outcomes) {
    expect([name, outcome]).toEqual([name, expect.stringMatching(/^(allowed|AccessDenied|AccessDeniedException)$/)])
  }
  return outcomes.filter(([, outcome]) => outcome === 'allowed').map(([name]) => name)
}

test('a function reads the items that it declares, and nothing else of the table or the bucket', async () => {
  expect(await allowedTo('/service/addresses/get')).toEqual([
    'get an address',
    'batch-get a session',
    'get an address in a transaction',
  ])
})

test('a function that declares an index may query the index, not the table', async () => {
  expect(await allowedTo('/service/addresses/getByClient')).toEqual([
    'batch-get a session',
    'query addresses by the index',
  ])
})

test('each action of a transaction needs its own permission', async () => {
  expect(await allowedTo('/service/addresses/add')).toEqual([
    'batch-get a session',
    'put an address',
    'put an address and check a client',
  ])
})

test('a function that declares files has access to their prefix only', async () => {
  const allowed = await allowedTo('/service/wines/getExpertise')
  expect(allowed.filter(name => /expertise|snapshot|files/.test(name))).toEqual(['write an expertise'])
})

test('sign-in has access to no item of a merchant', async () => {
  expect(await allowedTo('/service/login')).toEqual([])
})

test('the operator tool may do what the policy of operators allows, and nothing else', async () => {
  const { table: TableName, environment } = twin.connection
  const { AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = environment
  const client = new DynamoDBClient({
    region: AWS_REGION ?? '',
    endpoint: AWS_ENDPOINT_URL_DYNAMODB ?? '',
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  })
  const Key = { pk: { S: 'm#7#merchant' }, sk: { S: 'merchant' } }
  expect(await client.send(new GetItemCommand({ TableName, Key }))).not.toHaveProperty('Item')
  await expect(client.send(new ScanCommand({ TableName }))).rejects.toThrow('OPERATOR is not authorized')
  client.destroy()
})

test('requests to the table are counted by function, and only the permitted requests', async () => {
  const counts = (await (await fetch(twin.connection.requests)).json()) as Record<string, Record<string, number>>
  const ofTable = (path: string) => {
    const name = Object.keys(counts).find(one => one.startsWith(`${path.replaceAll('/', '')}Function`)) ?? ''
    return Object.fromEntries(Object.entries(counts[name] ?? {}).filter(([operation]) => !operation.startsWith('s3:')))
  }
  expect(ofTable('service/addresses/getByClient')).toEqual({ BatchGetItem: 1, Query: 1 })
  expect(ofTable('service/login')).toEqual({})
})

const ofAws = ['ACCESS_KEY_ID', 'ENDPOINT_URL_DYNAMODB', 'ENDPOINT_URL_EVENTBRIDGE', 'ENDPOINT_URL_LAMBDA']
  .concat(['ENDPOINT_URL_S3', 'ENDPOINT_URL_SSM', 'LAMBDA_FUNCTION_MEMORY_SIZE', 'LAMBDA_FUNCTION_NAME', 'REGION'])
  .concat(['SECRET_ACCESS_KEY'])
  .map(name => `AWS_${name}`)

test('a function has the environment of the template and its own credentials, and nothing of this machine', async () => {
  const environment = await ask('/service/orders/get')
  expect(Object.keys(environment).sort()).toEqual([
    'ALLOW_SANDBOX',
    ...ofAws,
    'BASE_URL',
    'SANDBOX_URL',
    'STAGE',
    'TABLE_NAME',
  ])
  expect(environment).toMatchObject({ STAGE: 'twin', TABLE_NAME: twin.connection.table })
})

test('a function with files has the name of the bucket, and credentials of its own', async () => {
  const [one, other] = [await ask('/service/orders/get'), await ask('/PDF/1/x.pdf')]
  expect(Object.keys(other).sort()).toEqual([
    'ALLOW_SANDBOX',
    ...ofAws,
    'BASE_URL',
    'BUCKET_NAME',
    'SANDBOX_URL',
    'STAGE',
    'TABLE_NAME',
  ])
  expect(other.BUCKET_NAME).toBe(twin.connection.bucket)
  expect(other.AWS_ACCESS_KEY_ID).not.toBe(one.AWS_ACCESS_KEY_ID)
  expect(other.AWS_SECRET_ACCESS_KEY).not.toBe(one.AWS_SECRET_ACCESS_KEY)
})

test('a request with any method reaches the function of its path, and any other path the fallback', async () => {
  expect(await ask('/service/orders/add')).toMatchObject({ routeKey: 'ANY /service/orders/add' })
  expect(await ask('/service/orders/add/')).toMatchObject({ routeKey: '$default', rawPath: '/service/orders/add/' })
  expect(await ask('/Service/orders/add')).toMatchObject({ routeKey: '$default' })
})

test('the first request to a starting twin reaches a function that knows the twin’s own URL', async () => {
  const other = await mkdtemp(join(tmpdir(), 'weinkontor-first-'))
  await seedBuild(other)
  const url = `http://localhost:${await freePort()}`
  const starting = startTwin({ port: Number(new URL(url).port), folder: other, bundles })
  const ended = starting.catch(() => 'ended')
  const first = async (): Promise<Record<string, unknown>> => {
    for (;;) {
      const answer = await fetch(`${url}/service/orders/get`, { method: 'POST' }).catch(() => undefined)
      if (answer?.ok) return (await answer.json()) as Record<string, unknown>
      if ((await Promise.race([ended, pause(1)])) === 'ended') throw new Error('the twin does not start')
    }
  }
  try {
    const { BASE_URL, SANDBOX_URL } = await first()
    expect([BASE_URL, SANDBOX_URL]).toEqual([url, url])
  } finally {
    await (await starting).close()
    await rm(other, { recursive: true, force: true })
  }
})
