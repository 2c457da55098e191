import { log } from '../../shared/platform/log.ts'
import { captureLog } from '../support/captured-log.ts'

const { texts, lines } = captureLog()

test.each([
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
] as const)('log.%s writes one line of JSON with the level %s, timestamp, message and fields', (name, level) => {
  log[name]('done', { merchant: 7, note: 'two\nlines' })
  expect(texts.map(text => text.indexOf('\n') === text.length - 1)).toEqual([true])
  // Lambda uses the level of a line only if its timestamp is RFC 3339.
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(lines()).toEqual([{ level, timestamp, message: 'done', merchant: 7, note: 'two\nlines' }])
})

test('an error is logged with its stack and that of its cause, without fields that libraries add', () => {
  const cause = Object.assign(new TypeError('inner'), { Item: { street: 'Elbchaussee' } })
  log.error('failed', { error: Object.assign(new Error('outer', { cause }), { Item: { street: 'Elbchaussee' } }) })
  expect(lines()[0]?.error).toEqual({
    ...{ name: 'Error', message: 'outer' },
    stack: expect.stringMatching(/^Error: outer\n +at .*log\.test/),
    cause: expect.stringMatching(/^TypeError: inner\n +at .*log\.test/),
  })
})

test('a thrown value that is no error is logged as it is', () => {
  log.error('failed', { error: 'a word' })
  expect(lines()[0]).toMatchObject({ message: 'failed', error: 'a word' })
})

test('outside Lambda nothing is logged', () => {
  delete process.env.AWS_LAMBDA_FUNCTION_NAME
  log.error('failed')
  expect(texts).toEqual([])
})
