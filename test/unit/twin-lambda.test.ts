import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { type LocalFunction, PayloadTooLarge } from '../../lib/twin/lambda/function.ts'
import { startLambda } from '../../lib/twin/lambda/server.ts'
import type { LocalServer } from '../../lib/twin/loopback.ts'

const arnOf = (name: string) => `arn:aws:lambda:eu-central-1:000000000000:function:${name}`

const events: unknown[] = []
let finish: (value: unknown) => void = () => {}

/** A function that ends when the test says so. */
const slow: LocalFunction['invoke'] = event => {
  events.push(event)
  return new Promise(done => {
    finish = done
  })
}
const failing: LocalFunction['invoke'] = async event => {
  events.push(event)
  throw new Error('no wine left')
}
const functions: Record<string, LocalFunction['invoke']> = {
  slow,
  failing,
  echo: async event => event,
  silent: async () => undefined,
  full: async () => {
    throw new PayloadTooLarge()
  },
}

const counted: string[] = []
let lambda: LocalServer

beforeAll(async () => {
  lambda = await startLambda({
    find: arn => {
      const invoke = functions[arn.split(':').at(-1) ?? '']
      return invoke && { invoke, renew: () => {}, close: async () => {} }
    },
    secretOf: id => (id === 'STRANGER' ? undefined : `secret of ${id}`),
    allows: (id, { action, resource }) =>
      id === 'OPERATOR' || (id === 'STARTER' && action === 'lambda:InvokeFunction' && resource === arnOf('slow')),
    onRequest: (id, operation) => counted.push(`${id} ${operation}`),
  })
})
afterAll(() => lambda.close())
beforeEach(() => {
  events.length = 0
  counted.length = 0
})

const clientOf = (accessKeyId: string, secretAccessKey = `secret of ${accessKeyId}`) =>
  new LambdaClient({
    endpoint: lambda.url,
    region: 'eu-central-1',
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  })

type Type = 'Event' | 'RequestResponse' | 'DryRun'

const invoke = async (
  FunctionName: string,
  InvocationType: Type = 'Event',
  client = clientOf('OPERATOR'),
  Payload = '{"merchant":7}',
) => {
  const {
    StatusCode,
    FunctionError,
    Payload: payload,
  } = await client.send(new InvokeCommand({ FunctionName, InvocationType, Payload }))
  const text = Buffer.from(payload ?? []).toString()
  return { status: StatusCode, error: FunctionError, value: text ? JSON.parse(text) : undefined }
}

/** Why an invocation is refused: the error's name and HTTP status. */
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    error => `${error.name} ${error.$metadata.httpStatusCode}`,
  )

test('an event is accepted with 202 before the function has ended', async () => {
  expect(await invoke('slow')).toEqual({ status: 202, error: undefined, value: undefined })
  expect(events).toEqual([{ merchant: 7 }])
  finish(undefined)
})

test('a function that fails after its event was accepted is not tried again', async () => {
  expect(await invoke('failing')).toMatchObject({ status: 202 })
  await new Promise(done => setTimeout(done, 50))
  expect(events).toHaveLength(1)
})

test('a synchronous caller gets the return value of the function, or its failure', async () => {
  expect(await invoke('echo', 'RequestResponse')).toEqual({ status: 200, error: undefined, value: { merchant: 7 } })
  expect(await invoke('silent', 'RequestResponse')).toEqual({ status: 200, error: undefined, value: null })
  expect(await invoke('failing', 'RequestResponse')).toEqual({
    status: 200,
    error: 'Unhandled',
    value: { errorMessage: 'no wine left' },
  })
})

test('a missing function is not found', async () => {
  expect(await refusalOf(invoke('slower'))).toBe('ResourceNotFoundException 404')
})

test('a caller may start the functions that its role allows, and cannot learn if others exist', async () => {
  const starter = clientOf('STARTER')
  expect(await invoke('slow', 'Event', starter)).toMatchObject({ status: 202 })
  expect(counted).toEqual(['STARTER lambda:InvokeFunction'])
  for (const name of ['echo', 'slower']) {
    expect(await refusalOf(invoke(name, 'Event', starter))).toBe('AccessDeniedException 403')
  }
  expect(await refusalOf(invoke('slow', 'Event', clientOf('ANOTHER')))).toBe('AccessDeniedException 403')
  expect(events).toHaveLength(1)
  expect(counted).toHaveLength(1)
})

test('a request with a wrong signature is refused', async () => {
  const wrong = clientOf('OPERATOR', 'not the secret')
  expect(await refusalOf(invoke('echo', 'Event', wrong))).toBe('InvalidSignatureException 403')
  expect(await refusalOf(invoke('echo', 'Event', clientOf('STRANGER')))).toBe('InvalidSignatureException 403')
})

test('a request that Lambda refuses is refused like there', async () => {
  const operator = clientOf('OPERATOR')
  expect(await refusalOf(invoke('echo', 'Event', operator, '{merchant'))).toBe('InvalidRequestContentException 400')
  const large = JSON.stringify('x'.repeat(1_048_576))
  expect(await refusalOf(invoke('echo', 'Event', operator, large))).toBe('RequestTooLargeException 413')
  expect(await invoke('echo', 'RequestResponse', operator, large)).toMatchObject({ status: 200 })
  expect(await refusalOf(invoke('full', 'RequestResponse', operator))).toBe('RequestTooLargeException 413')
})

test('operations that the service never uses are not implemented', async () => {
  expect(await refusalOf(invoke('echo', 'DryRun'))).toBe('NotImplemented 501')
  expect(await refusalOf(clientOf('OPERATOR').send(new ListFunctionsCommand({})))).toBe('NotImplemented 501')
})
