import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Template } from '../template/template.ts'
import { openCache, templateFile } from './cache.ts'
import { readSources, settingsDigest, unfinished } from './sources.ts'

/** What the twin runs, made from the sources: the stack's template, and a bundle a function. */
export type Build = {
  /** The template as it was made last. */
  template(): Template
  /** The folder of a function's bundle. */
  bundleFolder(name: string): string
  hasBundle(name: string): boolean
  /** What was not made from the sources as they are now. */
  outdated(): { bundles: string[]; template: boolean }
  /** Builds bundles anew, all in one go. Rejects with esbuild's BuildFailure. */
  makeBundles(names: readonly string[]): Promise<void>
  /** Builds a bundle anew, and prepares for building it again soon, which then takes half the time. */
  remakeBundle(name: string): Promise<void>
  /** Synthesizes the template anew. Rejects with what the stack throws. */
  makeTemplate(): Promise<void>
  /** Ends the bundler, if it runs; it starts again when something has to be built. */
  close(): Promise<void>
}

/** The names of the bundles that a template runs. */
export const bundleNames = ({ Resources }: Template): string[] =>
  Object.values(Resources).flatMap(({ Type, Metadata }) => {
    const name = Type === 'AWS::Lambda::Function' && Metadata?.['aws:asset:path']
    return name ? [name] : []
  })

const templateName = 'template'
const productOf = (bundle: string): string => `bundles/${bundle}`

const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name.startsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Opens what was built in a folder before and builds what is missing, damaged, or not made from the present sources.
 * Without `withBundles`, only the template is looked after. Rejects as makeBundles and makeTemplate do.
 */
export const openBuild = async (folder: string, withBundles = true): Promise<Build> => {
  await mkdir(folder, { recursive: true })
  await removeUnfinished(folder)
  const cache = await openCache(folder, await settingsDigest())
  let template: Template = { Resources: {} }
  let loading: Promise<typeof import('./make.ts')> | undefined

  // The bundler and the CDK take long to load; a start that finds everything built does without them.
  const maker = () => {
    loading ??= import('./make.ts')
    return loading
  }

  const outdated: Build['outdated'] = () => {
    const sources = readSources()
    return {
      bundles: bundleNames(template).filter(name => !cache.isFresh(productOf(name), sources)),
      template: !cache.isFresh(templateName, sources),
    }
  }

  const makeBundles: Build['makeBundles'] = async names => {
    const sources = readSources()
    const products = await (await maker()).makeBundles(join(folder, 'bundles'), names, sources)
    await cache.add(products.map(([name, product]) => [productOf(name), product]))
  }

  const remakeBundle: Build['remakeBundle'] = async name => {
    const sources = readSources()
    const product = await (await maker()).remakeBundle(join(folder, 'bundles'), name, sources)
    await cache.add([[productOf(name), product]])
  }

  const readTemplate = async (): Promise<void> => {
    template = JSON.parse(await readFile(join(folder, templateName, templateFile), 'utf8'))
  }

  const makeTemplate: Build['makeTemplate'] = async () => {
    const sources = readSources()
    const product = await (await maker()).makeTemplate(join(folder, templateName), sources)
    await cache.add([[templateName, product]])
    await readTemplate()
  }

  const sources = readSources()
  const hasTemplate = cache.isFresh(templateName, sources)
  if (hasTemplate) await readTemplate()
  const names = hasTemplate ? bundleNames(template) : (await maker()).functionNames()
  const missing = withBundles ? names.filter(name => !cache.isFresh(productOf(name), sources)) : []
  await Promise.all([!hasTemplate && makeTemplate(), missing.length > 0 && makeBundles(missing)])

  return {
    template: () => template,
    bundleFolder: name => join(folder, productOf(name)),
    hasBundle: name => cache.has(productOf(name)),
    outdated,
    makeBundles,
    remakeBundle,
    makeTemplate,
    close: async () => (await loading)?.stopBundler(),
  }
}
