import { PassThrough } from 'node:stream'
import { Refused } from '../../lib/tool/merchants.ts'
import { readSecret } from '../../lib/tool/secret.ts'

type Input = typeof process.stdin

const piped = (text: string | Buffer): Promise<string> =>
  readSecret('client secret', new PassThrough().end(text) as unknown as Input)

test.each([
  ['as it is', 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF-YHPTkjs6NKYQvQSBngp4PTTVWkPZRbL'],
  ['with a line end', 'secret\n'],
  ['with the line end of Windows, and a mark of the byte order', '\ufeffsecret\r\n'],
  ['with pasted spaces around it', ' \t secret  \n\n'],
])('a secret is read from stdin %s', async (_, text) => {
  expect(await piped(text)).toBe(text.replace('\ufeff', '').trim())
})

test('a secret may arrive in parts', async () => {
  const input = new PassThrough()
  const secret = readSecret('client secret', input as unknown as Input)
  input.write('sec')
  input.end('ret\n')
  expect(await secret).toBe('secret')
})

test.each([
  ['nothing', '', /is empty/],
  ['blanks', ' \n\n', /is empty/],
  ['two lines', 'hush\nhush', /without spaces/],
  ['a space', 'hush hush', /without spaces/],
  ['letters beyond ASCII', 'hüsh', /ASCII/],
  ['bytes that are no text', Buffer.from([0x68, 0xff, 0xfe]), /ASCII/],
  ['a control character', 'hush\u0000', /ASCII/],
  ['what Parameter Store takes for a reference', '{{hush}}', /braces/],
  ['1,001 characters', 'h'.repeat(1001), /1 to 1000/],
])('%s is no secret, and is not repeated in the message', async (_, text, says) => {
  const error = await piped(text).catch(error => error)
  expect(error).toBeInstanceOf(Refused)
  expect(error.message).toMatch(says)
  expect(error.message).not.toMatch(/hush|hüsh|hhh/)
})

test('an endless stdin is not read to its end', async () => {
  const input = new PassThrough()
  const endless = setInterval(() => input.write('h'.repeat(1000)), 1)
  await expect(readSecret('client secret', input as unknown as Input)).rejects.toBeInstanceOf(Refused)
  clearInterval(endless)
})

describe('on a terminal', () => {
  /** Types keys at the prompt; returns the secret or the error, and the output of the terminal. */
  const type = async (keys: string) => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => terminal })
    const { write } = process.stderr
    let shown = ''
    process.stderr.write = ((text: string) => {
      shown += text
      return true
    }) as typeof write
    try {
      const reading = readSecret('client secret', terminal as unknown as Input).catch((error: Error) => error)
      setImmediate(() => terminal.write(keys))
      return { read: await reading, shown }
    } finally {
      process.stderr.write = write
    }
  }

  test('a secret is prompted for, and not shown', async () => {
    const { read, shown } = await type(' hush-hush \r')
    expect(read).toBe('hush-hush')
    expect(shown).toContain('client secret')
    expect(shown).not.toMatch(/hush|h.*u.*s.*h-/)
  })

  test('Ctrl-C ends the command without a change', async () => {
    const { read } = await type('hu\x03')
    expect(read).toBeInstanceOf(Refused)
    expect((read as Error).message).toBe('without the client secret nothing was changed')
  })
})
