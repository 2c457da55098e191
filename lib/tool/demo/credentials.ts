import { createHash } from 'node:crypto'
import type { Role } from '../../../shared/contract/vocabulary.ts'
import { formToken } from '../../../shared/merchants/sessions.ts'

/** The demo merchants by key: one with the whole cellar, one with its German and Austrian wines. */
const demoMerchants = { elbufer: 'Weinkontor Elbufer', sonnenhang: 'Weingut Sonnenhang' } as const

export type DemoMerchant = keyof typeof demoMerchants

/** A demo merchant's credentials, a token for each role: published in README, valid on the twin only. */
export type DemoCredentials = { name: string; authid: string; token: string; deskToken: string }

const digest = (text: string): Buffer => createHash('sha256').update(`weinkontor demo ${text}`).digest()

/** The secrets of a demo merchant's tokens, by their roles. */
export const secretsOf = (demo: DemoMerchant): Record<Role, Buffer> => ({
  shop: digest(`token ${demo}`),
  desk: digest(`desk token ${demo}`),
})

const tokenOf = (secret: Buffer): string => formToken('wka', secret.toString('hex').slice(0, 12), secret)

/** The fixed credentials of a demo merchant. */
export const credentialsOf = (demo: DemoMerchant): DemoCredentials => {
  const { shop, desk } = secretsOf(demo)
  return { name: demoMerchants[demo], authid: `wk-demo-${demo}`, token: tokenOf(shop), deskToken: tokenOf(desk) }
}

/** The demo merchants, in the order they are created. */
export const demos: readonly DemoMerchant[] = ['elbufer', 'sonnenhang']

/** The fixed credentials of all demo merchants. */
export const demoCredentials = (): DemoCredentials[] => demos.map(credentialsOf)
