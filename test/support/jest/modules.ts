import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const own = pathToFileURL(join(import.meta.dirname, '../../..', '/')).href

const withoutTypes = new Map<string, string>()

/** The source of a module without its types, which are taken away once a process. */
const stripped = (source: string): string => {
  const known = withoutTypes.get(source) ?? stripTypeScriptTypes(source)
  withoutTypes.set(source, known)
  return known
}

const kept = new Map<string, readonly string[]>()
let loads = 0

const isOwn = (url: string): boolean => url.startsWith(own) && !url.includes('/node_modules/')

// The project's modules are loaded again for each test file, so that none finds the state that another left: what a
// module of a file imports, whenever it does, is of that file. Packages are loaded once a process, and so are folders
// that are named because they hold no state.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const { url } = resolved
    const file = context.parentURL?.split('?')[1]
    const once = file === undefined ? undefined : kept.get(file)
    if (!once || url.includes('?') || !isOwn(url)) return resolved
    return once.some(folder => url.startsWith(own + folder)) ? resolved : { ...resolved, url: `${url}?${file}` }
  },
  load(url, context, next) {
    const loaded = next(url, context)
    if (loaded.format !== 'module-typescript' || !loaded.source) return loaded
    return { ...loaded, format: 'module', source: stripped(loaded.source.toString()) }
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
