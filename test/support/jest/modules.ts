import { type LoadFnOutput, type ResolveFnOutput, registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const own = pathToFileURL(join(import.meta.dirname, '../../..', '/')).href

// A name in a module means the same for each test file, and so does the text of a module: both are found once a process.
const resolutions = new Map<string, ResolveFnOutput>()
const sources = new Map<string, LoadFnOutput>()

const kept = new Map<string, readonly string[]>()
let loads = 0

const isOwn = (url: string): boolean => url.startsWith(own) && !url.includes('/node_modules/')

// The project's modules are loaded again for each test file, so that none finds the state that another left: what a
// module of a file imports, whenever it does, is of that file. Packages are loaded once a process, and so are folders
// that are named because they hold no state.
registerHooks({
  resolve(specifier, context, next) {
    const [parent, file] = context.parentURL?.split('?') ?? []
    const once = file === undefined ? undefined : kept.get(file)
    if (!once) return next(specifier, context)
    const key = [specifier, parent, ...context.conditions].join(' ')
    const resolved = resolutions.get(key) ?? { ...next(specifier, context), shortCircuit: true }
    resolutions.set(key, resolved)
    const { url } = resolved
    if (url.includes('?') || !isOwn(url)) return resolved
    return once.some(folder => url.startsWith(own + folder)) ? resolved : { ...resolved, url: `${url}?${file}` }
  },
  load(url, context, next) {
    const [path = url] = url.split('?')
    const known = sources.get(path)
    if (known) return known
    const loaded = next(url, context)
    if (loaded.format !== 'module-typescript' || !loaded.source) return loaded
    const module = { format: 'module', source: stripTypeScriptTypes(loaded.source.toString()), shortCircuit: true }
    sources.set(path, module)
    return module
  },
})

/** Loads modules of one test file, with all they import from the project, but for folders that are loaded once. */
export type Load = (path: string) => Promise<unknown>

/** Returns a loader for the modules of one more test file. */
export const newLoad = (loadedOnce: readonly string[] = []): Load => {
  const file = `file=${++loads}`
  kept.set(file, loadedOnce)
  return path => import(`${pathToFileURL(path).href}?${file}`)
}
