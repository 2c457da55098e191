import { createHash } from 'node:crypto'
import { formToken } from '../../../shared/merchants/sessions.ts'

/** The demo merchants by key: one with the whole cellar, one with its German and Austrian wines. */
export const demoMerchants = { elbufer: 'Weinkontor Elbufer', sonnenhang: 'Weingut Sonnenhang' } as const

export type DemoMerchant = keyof typeof demoMerchants

/** A demo merchant's credentials: published in README, valid on the twin only. */
export type DemoCredentials = { name: string; authid: string; token: string }

const digest = (text: string): Buffer => createHash('sha256').update(`weinkontor demo ${text}`).digest()

/** The fixed credentials of a demo merchant, and the secret that its token is made of. */
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
