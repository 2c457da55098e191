import { bundleFolder, bundleFunctions } from '../lib/stack/bundle.ts'

const { outputs } = await bundleFunctions()
// A module that a function loads on first use is an entry point of its own.
const sizes = Object.values(outputs).flatMap(({ bytes, entryPoint }) =>
  entryPoint?.startsWith('functions/') ? [bytes] : [],
)
const largest = Math.max(...sizes) / 1024
process.stdout.write(`${sizes.length} functions in ${bundleFolder}, the largest ${largest.toFixed(0)} KB\n`)
