import { isCancel, password } from '@clack/prompts'
import { Refused } from './merchants.ts'

type Input = typeof process.stdin

const maxCharacters = 1000

const ask = async (name: string, input: Input): Promise<string> => {
  const answer = await password({ message: name, input, output: process.stderr })
  if (isCancel(answer)) throw new Refused(`without the ${name} nothing was changed`)
  return answer
}

const readAll = async (input: Input): Promise<string> => {
  input.setEncoding('utf8')
  let text = ''
  for await (const chunk of input) {
    text += chunk
    if (text.length > 2 * maxCharacters) break
  }
  return text
}

/**
 * Reads a secret from a prompt on a terminal, else from stdin, without surrounding white space. Throws Refused, without
 * the secret in its message, if it is invalid.
 */
export const readSecret = async (name: string, input: Input = process.stdin): Promise<string> => {
  const secret = (await (input.isTTY ? ask(name, input) : readAll(input))).trim()
  if (secret === '') throw new Refused(`the ${name} is empty: type it, or pass it on stdin`)
  // Parameter Store does not allow {{ in a value.
  if (secret.length <= maxCharacters && /^[!-z|~]+$/.test(secret)) return secret
  throw new Refused(
    `the ${name} must be 1 to ${maxCharacters} ASCII letters, digits and signs, without spaces, line breaks and braces`,
  )
}
