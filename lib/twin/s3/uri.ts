/** Percent-encodes a text as AWS signs it: everything but letters, digits and `-._~`. */
export const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Like `uriEncode`, but leaves the slashes between path segments as they are. */
export const uriEncodePath = (path: string): string => path.split('/').map(uriEncode).join('/')

/** Splits a raw request target at its first question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The decoded name and value pairs of a raw query string in their order; throws URIError on broken percent encoding. */
export const queryPairs = (query: string): [string, string][] =>
  query
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const equals = part.indexOf('=')
      const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
      return [decodeURIComponent(name), decodeURIComponent(value)]
    })
