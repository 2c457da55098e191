import type { Problem } from '../contract/errors.ts'
import { readMerchant } from '../merchants/settings.ts'
import { readThrough } from '../platform/cache.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { requestFields } from './body.ts'
import type { ServedEvent } from './step.ts'

type Language = 'de' | 'en'

const germanSpeaking: ReadonlySet<string> = new Set(['de', 'at', 'ch', 'li'])

const merchants = readThrough<MerchantId, Language>({ max: 1000, trustedFor: 60_000 })

const ofMerchant = (merchant: MerchantId): Promise<Language> =>
  merchants(merchant, async () => {
    const { countrycode } = await readMerchant(merchant)
    return germanSpeaking.has(countrycode ?? 'de') ? 'de' : 'en'
  })

/** The language that a request names, as `de` or `de_DE`; undefined for none, and for one that there are no sentences in. */
const namedIn = (event: ServedEvent): Language | undefined => {
  try {
    const { language } = requestFields(event)
    const [, named] = /^(de|en)\b/i.exec(String(language).replace('_', '-')) ?? []
    return named?.toLowerCase() as Language | undefined
  } catch {
    // The refusal is about this body.
    return undefined
  }
}

/** What a buyer is told of a refusal, in the language of the request, else of the merchant. */
export const sentenceFor = async (problem: Problem, event: ServedEvent): Promise<string> => {
  const { german, message } = problem
  const { session } = event.state
  if (!german || !session) return message
  // A table that is busy must not keep the refusal back.
  const language = namedIn(event) ?? (await ofMerchant(session.merchant).catch(() => 'en'))
  return language === 'de' ? german : message
}
