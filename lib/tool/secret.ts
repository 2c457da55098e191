import { isCancel, password } from '@clack/prompts'
import { Refused } from './merchants.ts'

type Input = typeof process.stdin

const mostCharacters = 1000

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
    if (text.length > 2 * mostCharacters) break
  }
  return text
}

/**
 * Reads a secret: on a terminal it asks for it and shows dots, else it reads stdin. Spaces and line ends around it are
 * cut off. Throws Refused, without the secret, for what cannot be one.
 */
export const readSecret = async (name: string, input: Input = process.stdin): Promise<string> => {
  const secret = (await (input.isTTY ? ask(name, input) : readAll(input))).trim()
  if (secret === '') throw new Refused(`the ${name} is empty: type it, or pass it on stdin`)
  // Parameter Store takes no {{ in a value.
  if (secret.length <= mostCharacters && /^[!-z|~]+$/.test(secret)) return secret
  throw new Refused(
    `the ${name} must be 1 to ${mostCharacters} ASCII letters, digits and signs, without spaces, line breaks and braces`,
  )
}
