// How the reference is shown: by files of this service alone. What is tried out calls the service that the page is from.

// All that the renderer knows of, but for curl, and JavaScript and PHP without a library.
const languages =
  'c clojure csharp dart fsharp go http java julia kotlin node objc ocaml powershell python r ruby rust swift'
const hidden = Object.fromEntries(languages.split(' ').map(language => [language, true]))

globalThis.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  title: 'Weinkontor API',
  servers: [{ url: location.origin }],
  favicon: document.querySelector('link[rel=icon]').getAttribute('href'),

  // Nothing of anybody else's.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',

  hiddenClients: {
    ...hidden,
    shell: ['httpie', 'wget'],
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    php: ['guzzle', 'laravel'],
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  operationTitleSource: 'path',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultOpenFirstTag: false,
})
