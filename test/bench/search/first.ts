import { classesOf, searchOf } from './asked.ts'
import { corpus } from './corpus.ts'
import { asked, opened } from './snapshot.ts'

// Runs in its own process, as a new instance: reads the parts of a snapshot that one search of one class needs, and prints
// the cost of reading, unpacking and searching, including compilation.

const [, , file = '', size = '0', place = '0'] = process.argv
const one = classesOf(corpus(), Number(size))[Number(place)]
if (!one) throw new RangeError(`there is no class ${place}`)
const search = searchOf(one)
const before = process.cpuUsage()
const { index } = await opened(file)
await asked(index, () => index.search(search))
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify((user + system) / 1000))
