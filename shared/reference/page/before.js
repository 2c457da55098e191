// Keeps zod from compiling code at run time, which the page's content security policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true }
