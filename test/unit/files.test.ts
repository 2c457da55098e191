import { fileExists, presignedLink, readFile, readPart, writeFile } from '../../shared/files/files.ts'

const usual = { ...process.env }
beforeEach(() => {
  const { BUCKET_NAME, ...others } = usual
  process.env = { ...others, AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
})
afterAll(() => {
  process.env = usual
})

test.each<[string, () => Promise<unknown>]>([
  ['reading a file', () => readFile('a')],
  ['looking for one', () => fileExists('a')],
  ['reading a part of one', () => readPart('a', {})],
  ['writing one', () => writeFile('a', Buffer.from('a'), 'text/plain', 'nothing')],
  ['linking to one', () => presignedLink('a', 1, 'text/plain', 'inline')],
])('%s without a bucket tells which variable is missing, and does not look like a busy service', async (_, work) => {
  for (const name of [undefined, '']) {
    if (name !== undefined) process.env.BUCKET_NAME = name
    await expect((async () => work())()).rejects.toThrow(/^BUCKET_NAME is not set/)
  }
})
