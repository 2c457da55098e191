import { bundleFolder, bundleFunctions } from '../lib/stack/bundle.ts'

const { outputs } = await bundleFunctions()
// Chunks of functions have no entry point.
const sizes = Object.values(outputs).flatMap(({ bytes, entryPoint }) => (entryPoint === undefined ? [] : [bytes]))
const largest = Math.max(...sizes) / 1024
process.stdout.write(`${sizes.length} functions in ${bundleFolder}, the largest ${largest.toFixed(0)} KB\n`)
