/** True if the bundled DynamoDB engine runs on this system; elsewhere DYNAMODB_ENDPOINT names another engine. */
export const hasEngine = process.platform === 'linux' && process.arch === 'x64'

/** A test of the bundled engine. */
export const onEngine = hasEngine ? test : test.skip

if (!hasEngine) console.warn('skipped: the bundled DynamoDB runs on linux-x64 only')
