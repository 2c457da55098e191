/**
 * Returns the language of a list that an Accept-Language header prefers: the highest weight (RFC 9110, 12.5.4), the first of
 * equals; `de-AT` counts as `de`. Returns the first language of the list if the header accepts none. CloudFront runs this
 * source as well (lib/stack/front/language.ts), so it uses only what its runtime has: no `for … of`, no destructuring.
 */
export const preferredLanguage = <Name extends string>(header: string, languages: readonly Name[]): Name => {
  let best = languages[0] as Name
  let most = 0
  header.split(',').forEach(part => {
    const pieces = part.split(';').map(piece => piece.trim().toLowerCase())
    const name = languages.filter(language => pieces[0] === language || `${pieces[0]}`.indexOf(`${language}-`) === 0)[0]
    const given = pieces.filter(piece => piece.indexOf('q=') === 0)[0]
    const weight = given === undefined ? 1 : Number(given.slice(2))
    if (name !== undefined && weight > most && weight <= 1) {
      best = name
      most = weight
    }
  })
  return best
}
