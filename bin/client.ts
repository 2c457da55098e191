import { writeClient } from '../lib/client/build/write.ts'

await writeClient()
