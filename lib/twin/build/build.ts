import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Template } from '../template/template.ts'
import { openCache, templateFile } from './cache.ts'
import { readSources, settingsDigest, unfinished } from './sources.ts'

/** The stack's template and a bundle for each function, made from the sources. */
export type Build = {
  template(): Template
  bundleFolder(name: string): string
  hasBundle(name: string): boolean
  /** Products that were not made from the current sources. */
  outdated(): { bundles: string[]; template: boolean }
  /** Rebuilds bundles in one run. Rejects with esbuild's BuildFailure. */
  makeBundles(names: readonly string[]): Promise<void>
  /** Rebuilds a bundle and prepares for the next rebuild of it, which then takes half the time. */
  remakeBundle(name: string): Promise<void>
  /** Synthesizes the template again. Rejects with the stack's error. */
  makeTemplate(): Promise<void>
  /** Ends the bundler, if it runs; it starts again when something has to be built. */
  close(): Promise<void>
}

export type BuildOptions = {
  /** Builds bundles too, not only the template; true by default. */
  withBundles?: boolean
  /** The statements on leading keys in the template, `apart` by default (lib/stack/rights.ts). */
  leadingKeys?: string | undefined
}

export const bundleNames = ({ Resources }: Template): string[] =>
  Object.values(Resources).flatMap(({ Type, Metadata }) => {
    const name = Type === 'AWS::Lambda::Function' && Metadata?.['aws:asset:path']
    return name ? [name] : []
  })

const productOf = (bundle: string): string => `bundles/${bundle}`

const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name.startsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Opens a build folder and builds what is missing, damaged, or not made from the current sources. Rejects as makeBundles and
 * makeTemplate do.
 */
export const openBuild = async (
  folder: string,
  { withBundles = true, leadingKeys = 'apart' }: BuildOptions = {},
): Promise<Build> => {
  const templateName = leadingKeys === 'apart' ? 'template' : `template-${leadingKeys}`
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
    const product = await (await maker()).makeTemplate(join(folder, templateName), sources, leadingKeys)
    await cache.add([[templateName, product]])
    await readTemplate()
  }

  const sources = readSources()
  const hasTemplate = cache.isFresh(templateName, sources)
  if (hasTemplate) await readTemplate()
  const names = hasTemplate ? bundleNames(template) : (await maker()).functionNames()
  const missing = withBundles ? names.filter(name => !cache.isFresh(productOf(name), sources)) : []
  const making = [!hasTemplate && makeTemplate(), missing.length > 0 && makeBundles(missing)]
  // Nothing may still be writing when the caller learns of a failure.
  await Promise.allSettled(making)
  await Promise.all(making)

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
