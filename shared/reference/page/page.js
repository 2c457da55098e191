// Shows the reference, with files of this service only. Requests to try out are sent to the service of the page.

const local = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

/** Opens a session of the demo merchant, whose credentials are in the document of a local service; undefined elsewhere. */
const demoSession = async document => {
  const [authid] = /wk-demo-\w+/.exec(document) ?? []
  const [token] = /wka_[\da-f_]{60,}/.exec(document) ?? []
  if (!local || !authid || !token) return undefined
  const response = await fetch('/service/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authid, token }),
    signal: AbortSignal.timeout(3000),
  })
  return response.ok ? (await response.json()).token : undefined
}

/** Makes scrollable elements reachable by keyboard, and labels buttons by their text; the renderer does neither. */
const improve = () => {
  for (const element of document.querySelectorAll('.custom-scroll:not([tabindex]), .markdown table:not([tabindex])'))
    element.tabIndex = 0
  for (const button of document.querySelectorAll('.show-more[aria-label]')) button.removeAttribute('aria-label')
}

let isWaiting = false
const improveSoon = () => {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    improve()
  }, 200)
}
new MutationObserver(improveSoon).observe(document.body, { childList: true, subtree: true })

const show = async () => {
  const content = await (await fetch('/openapi.json')).text()
  const token = await demoSession(content).catch(() => undefined)
  globalThis.Scalar.createApiReference('#reference', {
    content,
    title: 'Weinkontor API',
    servers: [{ url: location.origin }],
    favicon: document.querySelector('link[rel=icon]').getAttribute('href'),
    ...(token && { authentication: { preferredSecurityScheme: 'session', securitySchemes: { session: { token } } } }),

    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: 'never',

    // The document has its own samples. Scalar offers them in a menu; only its built-in HTTP clients can be tabs.
    hiddenClients: true,
    hideModels: false,
    documentDownloadType: 'json',
    operationTitleSource: 'path',
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    defaultOpenFirstTag: false,
  })
}

show()
