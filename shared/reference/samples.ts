import type { Method, Route } from '../contract/route.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'
import { guides } from './guides.ts'

type Sample = { lang: string; label: string; source: string }

const base = 'http://localhost:3000'

// The credentials in the guides; documents of other base URLs have placeholders.
const first = guides[0]?.text ?? ''
export const [authid] = /wk-demo-\w+/.exec(first) ?? ['AUTHID']
export const [token] = /wka_[\da-f_]{60,}/.exec(first) ?? ['API_TOKEN']

const indentLines = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

const phpOf = (value: unknown, indent = ''): string => {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, sign => `\\${sign}`)}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map(one => `${inner}${phpOf(one, inner)},`)
    : Object.entries(value).map(([name, one]) => `${inner}${phpOf(name)} => ${phpOf(one, inner)},`)
  return lines.length === 0 ? '[]' : `[\n${lines.join('\n')}\n${indent}]`
}

/** Returns the URL of a GET, with path parameters and query string. */
const urlOf = (path: string, request: JsonSchema): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => String(request[name] ?? whole))
  const query = Object.entries(request).filter(([name]) => !path.includes(`{${name}}`))
  const texts = query.map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(typeof value === 'boolean' ? Number(value) : value),
  ])
  return `${base}${filled}${texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''}`
}

const headersOf = ({ level, client }: Route): string[] => [
  ...(level === 'service' ? ['authorization: Bearer SESSION_TOKEN'] : []),
  ...(client === 'required' ? ['client-authorization: CLIENT_TOKEN'] : []),
]

const shellOf = (route: Route, method: Method, path: string, request: JsonSchema): string => {
  if (method === 'GET') return `curl '${urlOf(path, request)}'`
  const headers = ['content-type: application/json', ...headersOf(route)].map(header => ` \\\n  -H '${header}'`)
  const body = JSON.stringify(request, null, 2).replaceAll("'", "'\\''")
  return `curl ${base}${path}${headers.join('')} \\\n  -d '${indentLines(body, '  ')}'`
}

// The typed client calls by path and body, whatever the method. It has no files and webhooks.
const clientOf = ({ path, level, envelope, client }: Route, url: string, request: JsonSchema): string => {
  if (level === 'webhook' || (envelope === 'raw' && !path.startsWith('/localization/')))
    return `const response = await fetch('${url}')`
  const given = path === '/localization/{path+}' ? { path: request.path ?? request.language ?? 'de' } : request
  const more = client === 'required' ? ", { clientToken: 'CLIENT_TOKEN' }" : ''
  return `import { createClient } from 'weinkontor-client'

const shop = createClient({ url: '${base}', authid: '${authid}', token: '${token}' })
const answer = await shop.call('${path}', ${JSON.stringify(given, null, 2)}${more})`
}

const phpSample = (route: Route, method: Method, path: string, request: JsonSchema): string => {
  if (method === 'GET') return `$answer = file_get_contents('${urlOf(path, request)}');`
  const headers = ['content-type: application/json', ...headersOf(route)]
  return `$curl = curl_init('${base}${path}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [${headers.map(header => phpOf(header)).join(', ')}],
    CURLOPT_POSTFIELDS => json_encode(${Object.keys(request).length === 0 ? '(object) []' : phpOf(request, '    ')}),
]);
$answer = json_decode(curl_exec($curl), true);`
}

/** Returns code samples of a request: curl, the typed client and PHP. */
export const codeSamples = (route: Route, method: Method, path: string, request: JsonSchema = {}): Sample[] => [
  { lang: 'shell', label: 'Shell', source: shellOf(route, method, path, request) },
  { lang: 'js', label: 'JavaScript', source: clientOf(route, urlOf(path, request), request) },
  { lang: 'php', label: 'PHP', source: phpSample(route, method, path, request) },
]
