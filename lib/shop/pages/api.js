/** An error response, or none (status 0): `word` is the error word, `fields` the bad fields. */
export class ShopError extends Error {
  constructor(status, { error, fields = [], request_id } = {}) {
    super(error ?? 'offline')
    this.status = status
    this.word = error
    this.fields = fields
    this.requestId = request_id
  }
}

let language = 'de'

/** Sets the language of later requests. */
export const setLanguage = chosen => {
  language = chosen
}

const request = async (path, init) => {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch(error => {
    if (error.name === 'AbortError') throw error
    throw new ShopError(0)
  })
  const body = await response.json().catch(() => undefined)
  if (!response.ok || body === undefined) throw new ShopError(response.status, body)
  return body
}

const queryOf = params => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params ?? {}))
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== '') query.append(name, one)
  const text = query.toString()
  return text && `?${text}`
}

/** Calls the shop's server. */
export const get = (name, params, signal) =>
  request(`/shop/api/${name}${queryOf(params)}`, { signal, headers: { 'accept-language': language } })

export const post = (name, body = {}, headers = {}) =>
  request(`/shop/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': language, ...headers },
    body: JSON.stringify(body),
  })

/** Calls a public route of the service. */
export const getPublic = (path, params, signal) => request(path + queryOf(params), { signal })
