// The renderer's checks would try whether they may compile code at run time, which the page's policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true }
