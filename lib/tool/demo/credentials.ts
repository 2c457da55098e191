import { createHash } from 'node:crypto'
import { formToken } from '../../../shared/merchants/sessions.ts'
import { type DemoMerchant, demoMerchants } from './cellar.ts'

/** A demo merchant's credentials. They are in the README and exist on the twin only. */
export type DemoCredentials = { name: string; authid: string; token: string }

const digest = (text: string): Buffer => createHash('sha256').update(`weinkontor demo ${text}`).digest()

/** The fixed credentials of a demo merchant, and the secret its token is made of. */
export const credentialsOf = (demo: DemoMerchant): DemoCredentials & { secret: Buffer } => {
  const secret = digest(`token ${demo}`)
  const token = formToken('wka', secret.toString('hex').slice(0, 12), secret)
  return { name: demoMerchants[demo], authid: `wk-demo-${demo}`, token, secret }
}

/** The demo merchants, in the order they are created. */
export const demos: readonly DemoMerchant[] = ['elbufer', 'sonnenhang']

/** The fixed credentials of all demo merchants. */
export const demoCredentials = (): DemoCredentials[] =>
  demos.map(credentialsOf).map(({ secret, ...credentials }) => credentials)
