import type { DynamoDBStreamEvent } from 'aws-lambda'
import { log } from '../../shared/log.ts'
import type { MerchantId } from '../../shared/table/keys.ts'
import { merchantScope, publicScope, type Scope } from '../../shared/wines/search/scopes.ts'
import { renewSnapshot } from '../../shared/wines/search/snapshot-store.ts'

const scopeOf = (pk: string): Scope | undefined => {
  const merchant = /^m#(\d+)#catalogue$/.exec(pk)?.[1]
  if (merchant) return merchantScope(Number(merchant) as MerchantId)
  return pk.startsWith('public#') ? publicScope : undefined
}

// Of the job's two minutes.
const waitsMs = 40_000

export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const changed = Records.flatMap(({ dynamodb }) => scopeOf(dynamodb?.Keys?.pk?.S ?? '') ?? [])
  const patience = { ms: waitsMs }
  for (const scope of new Map(changed.map(one => [one.name, one])).values()) {
    const written = await renewSnapshot(scope, patience)
    log.info('looked at a snapshot', { scope: scope.name, written })
  }
}
