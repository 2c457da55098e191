import {
  ConditionFailed,
  TooLarge,
  TransactionRefused,
  throwTranslated,
  Unavailable,
} from '../../shared/platform/table/failures.ts'

/** Returns the error that an error of the SDK becomes. */
const thrownFor = (error: object): unknown => {
  try {
    return throwTranslated(Object.assign(new Error('of the SDK'), error))
  } catch (thrown) {
    return thrown
  }
}

describe('a failed condition', () => {
  const failed = (Item?: object) =>
    thrownFor({ name: 'ConditionalCheckFailedException', Item, $metadata: { httpStatusCode: 400 } }) as ConditionFailed

  test('returns the existing item, without the table’s own attributes', () => {
    const error = failed({
      pk: { S: 'm#1#baskets' },
      sk: { S: 'x' },
      lsi1sk: { S: 'y' },
      text: { S: 'a' },
      none: { S: '' },
      number: { N: '12' },
      zero: { N: '0' },
      yes: { BOOL: true },
      no: { BOOL: false },
      nothing: { NULL: true },
      bytes: { B: new Uint8Array([1, 2]) },
      list: { L: [{ N: '1' }, { S: 'b' }, { L: [] }] },
      map: { M: { inner: { M: { deep: { N: '3' } } } } },
    })
    expect(error).toBeInstanceOf(ConditionFailed)
    expect(error.message).toBe('the condition of a write did not hold')
    expect(error.present({ pk: '', sk: '' })).toEqual({
      text: 'a',
      none: '',
      number: 12,
      zero: 0,
      yes: true,
      no: false,
      nothing: null,
      bytes: new Uint8Array([1, 2]),
      list: [1, 'b', []],
      map: { inner: { deep: 3 } },
    })
  })

  test('returns undefined if there was no item', () => {
    expect(failed().present({ pk: '', sk: '' })).toBeUndefined()
  })
})

describe('an unavailable table', () => {
  test.each([
    'InternalServerError',
    'ItemCollectionSizeLimitExceededException',
    'ProvisionedThroughputExceededException',
    'ReplicatedWriteConflictException',
    'RequestLimitExceeded',
    'ServiceUnavailable',
    'ThrottlingException',
    'TimeoutError',
    'TransactionConflictException',
    'TransactionInProgressException',
  ])('%s', name => {
    const error = thrownFor({ name, $metadata: { httpStatusCode: 400 } }) as Unavailable
    expect(error).toBeInstanceOf(Unavailable)
    expect(error.message).toBe(name)
    expect(error.cause).toMatchObject({ message: 'of the SDK' })
  })

  test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])('%s', code => {
    expect(thrownFor({ code })).toBeInstanceOf(Unavailable)
  })

  test.each([500, 503])('status %p, whatever the name', httpStatusCode => {
    expect(thrownFor({ name: 'Strange', $metadata: { httpStatusCode } })).toBeInstanceOf(Unavailable)
  })
})

test.each([
  'Item size has exceeded the maximum allowed size',
  'Item size to update has exceeded the maximum allowed size',
])('an item that is too large is reported as such: %s', message => {
  expect(thrownFor({ name: 'ValidationException', message })).toBeInstanceOf(TooLarge)
})

test('another exceeded size is not reported as an item that is too large', () => {
  const error = { name: 'ItemCollectionSizeLimitExceededException', message: 'Collection size exceeded.' }
  expect(thrownFor(error)).toBeInstanceOf(Unavailable)
})

test.each([
  { name: 'ValidationException', $metadata: { httpStatusCode: 400 } },
  { name: 'AccessDeniedException', $metadata: { httpStatusCode: 499 } },
  { name: 'TypeError' },
  { code: 'NOT_ECONN' },
])('%p is no failure of the table: it is thrown unchanged', error => {
  const thrown = thrownFor(error)
  expect(thrown).not.toBeInstanceOf(Unavailable)
  expect(thrown).toMatchObject({ ...error, message: 'of the SDK' })
})

describe('a refused transaction', () => {
  const refused = new TransactionRefused({
    order: 'ConditionalCheckFailed',
    stock: 'None',
    numbers: 'TransactionConflict',
  })

  test('names the actions that failed, and no others', () => {
    expect(refused.message).toBe('transaction refused: order ConditionalCheckFailed, numbers TransactionConflict')
    expect(refused.reasons).toEqual({ order: 'ConditionalCheckFailed', stock: 'None', numbers: 'TransactionConflict' })
  })

  test('names the condition that failed', () => {
    expect(['order', 'stock', 'numbers', 'other'].map(name => refused.hasFailed(name))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test.each([
    [{ a: 'None', b: 'TransactionConflict' }, true],
    [{ a: 'ThrottlingError' }, true],
    [{ a: 'ProvisionedThroughputExceeded' }, true],
    [{ a: 'TransactionConflict', b: 'ConditionalCheckFailed' }, false],
    [{ a: 'ValidationError', b: 'None' }, false],
  ])('%p is contention alone: %p', (reasons, contended) => {
    expect(new TransactionRefused(reasons as unknown as Record<string, string>).contended).toBe(contended)
  })
})
