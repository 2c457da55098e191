import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { publishedLabel } from '../../catalogue/wines/label.ts'
import { labelUrl } from '../../catalogue/wines/stored.ts'
import { Problem } from '../../contract/errors.ts'
import { type LabelLanguage, labelLanguages } from '../../contract/labels/label-tables.ts'
import type { Label } from '../../contract/records/facts.ts'
import { cacheableReply, cacheableText, readThrough } from '../../platform/cache.ts'
import { preferredLanguage } from './language.ts'
import { labelPage, labelPolicy, missingPage } from './page.ts'
import { qrPng, qrSvg } from './qr-files.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** A request below `/e/`: `path` is the hash of a wine, alone or with `/qr.svg` or `/qr.png`. */
export type LabelRequest = { path: string; lang?: string | undefined; headers: Headers; baseUrl: string }

// In seconds, for an instance of the function and for caches behind it: together, a withdrawal is seen after two minutes.
const maxAge = 60

// A label that is missing or withdrawn is not cached: it may be published at any time.
const labels = readThrough<string, Label>({ max: 500, trustedFor: maxAge * 1000 })

const languageOf = ({ lang, headers }: LabelRequest): LabelLanguage =>
  labelLanguages.find(one => one === lang) ?? preferredLanguage(headers['accept-language'] ?? '', labelLanguages)

const privacy = { 'content-security-policy': labelPolicy, 'referrer-policy': 'no-referrer' }

const pageHeaders = (language: LabelLanguage) => ({
  ...privacy,
  'content-language': language,
  vary: 'accept-language',
})

const fileReply = (request: LabelRequest, text: string, type: string, more: Record<string, string>): Reply => {
  const { headers, ...reply } = cacheableReply(cacheableText(text, type, maxAge), request.headers['if-none-match'])
  return { ...reply, headers: { ...headers, ...more } }
}

const labelAnswer = async (request: LabelRequest): Promise<Reply> => {
  const [hash = ''] = request.path.split('/')
  const label = await labels(hash, () => publishedLabel(hash))
  const url = labelUrl(request.baseUrl, hash)
  const language = languageOf(request)
  switch (request.path.slice(hash.length)) {
    case '':
      return fileReply(request, labelPage(label, language), 'text/html; charset=utf-8', pageHeaders(language))
    case '/qr.svg':
      return fileReply(request, qrSvg(url), 'image/svg+xml', privacy)
    case '/qr.png': {
      const reply = fileReply(request, qrPng(url).toString('base64'), 'image/png', privacy)
      return { ...reply, isBase64Encoded: reply.statusCode === 200 }
    }
    default:
      throw new Problem('label_not_found')
  }
}

const sentences: Readonly<Record<string, 'not_found' | 'withdrawn'>> = {
  label_not_found: 'not_found',
  label_withdrawn: 'withdrawn',
}

/**
 * Returns the page of a label, or the QR code that leads to it. Throws label_not_found or label_withdrawn, for browsers with a
 * page in their language.
 */
export const labelReply = async (request: LabelRequest): Promise<Reply> => {
  try {
    return await labelAnswer(request)
  } catch (error) {
    const sentence = error instanceof Problem && sentences[error.word]
    if (!sentence || !/\btext\/html\b/i.test(request.headers.accept ?? '')) throw error
    const language = languageOf(request)
    throw new Problem(error.word, { headers: pageHeaders(language), page: missingPage(language, sentence) })
  }
}
