import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const { CHROMIUM } = process.env

/** Debian's, or the one that CHROMIUM names; undefined where there is none. */
export const executablePath = [
  CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(file => file && existsSync(file))

// Chromium draws parts of its own window as pages: with each page of a test it would load some of them, which takes
// longer than the page. Of two such lists it takes the last, so what Playwright leaves out is left out here as well.
const withoutFeatures = [
  ...['AiModeOmniboxEntryPoint', 'InitialWebUI', 'PreloadTopChromeWebUI', 'TabSearchToolbarButton', 'WebUILocationBar'],
  ...['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup', 'WebUIReloadButton', 'WebUITabStrip', 'WebUIToolbar'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...[
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
  ],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  'ThirdPartyStoragePartitioning',
]

// As root, and without the services that a browser calls at its start.
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join()}`,
]

// Jest's set-up and the test files load it in their own ways; this one suits both.
const playwright = () => createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

/** Starts a browser that test files of all processes can connect to. */
export const launchServer = (path: string) => playwright().chromium.launchServer({ executablePath: path, args: quiet })

/** The browser that was started for all files, with contexts of this file's own; closing it leaves it running. */
export const connect = (address: string) => playwright().chromium.connect(address)
