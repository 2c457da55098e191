import type { Stack } from 'aws-cdk-lib'
import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront'
import { labelLanguages } from '../../../shared/contract/labels/label-tables.ts'
import { preferredLanguage } from '../../../shared/documents/elabels/language.ts'

/**
 * The source of the function that runs at CloudFront before its cache. Browsers send thousands of different
 * Accept-Language headers; it replaces the query string by `lang`, so that the cache has 24 copies of a page at most.
 */
const languageSource = `const languages = ${JSON.stringify(labelLanguages)}
const preferredLanguage = ${preferredLanguage}
function handler(event) {
  const request = event.request
  const given = request.querystring.lang
  const accepted = request.headers['accept-language']
  const isKnown = given !== undefined && languages.indexOf(given.value) >= 0
  const lang = isKnown ? given.value : preferredLanguage(accepted === undefined ? '' : accepted.value, languages)
  request.querystring = { lang: { value: lang } }
  return request
}
`

export const languageFunction = (stack: Stack): EdgeFunction =>
  new EdgeFunction(stack, 'Language', {
    comment: `${stack.stackName}: the language of a page`,
    code: FunctionCode.fromInline(languageSource),
    runtime: FunctionRuntime.JS_2_0,
  })
