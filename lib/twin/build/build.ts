import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Template } from '../template/template.ts'
import { openCache, templateFile } from './cache.ts'
import { readSources, settingsDigest, unfinished } from './sources.ts'

/** The stack's template and a bundle for each function, made from the sources. */
export type Build = {
  template(): Template
  bundleFolder(name: string): string
  /** Products that were not made from the current sources. */
  outdated(): { bundles: string[]; template: boolean }
  /**
   * Builds a bundle: one in use alone, and so that its next rebuild takes half the time; any other together with those
   * outdated bundles that cost little more. Returns their names. Rejects with esbuild's BuildFailure.
   */
  makeBundle(name: string, isInUse: boolean, outdated: readonly string[]): Promise<string[]>
  /** Synthesizes the template again. Rejects with the stack's error. */
  makeTemplate(): Promise<void>
  /** The reason of a failed build, for the developer. */
  describeFailure(error: unknown): Promise<string>
  /** Ends the bundler, if it runs; it starts again when something has to be built. */
  close(): Promise<void>
}

export type BuildOptions = {
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
 * Opens a build folder, and synthesizes the template if it is missing, damaged, or not made from the current sources.
 * Rejects as makeTemplate does.
 */
export const openBuild = async (folder: string, { leadingKeys = 'apart' }: BuildOptions = {}): Promise<Build> => {
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

  const findOutdated: Build['outdated'] = () => {
    const sources = readSources()
    return {
      bundles: bundleNames(template).filter(name => !cache.isFresh(productOf(name), sources)),
      template: !cache.isFresh(templateName, sources),
    }
  }

  const makeBundle: Build['makeBundle'] = async (name, isInUse, outdated) => {
    const sources = readSources()
    const { makeBundles, remakeBundle } = await maker()
    const bundles = join(folder, 'bundles')
    const products = isInUse
      ? [await remakeBundle(bundles, name, sources)]
      : await makeBundles(bundles, name, outdated, sources)
    await cache.add(products.map(([made, product]) => [productOf(made), product]))
    return products.map(([made]) => made)
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

  if (cache.isFresh(templateName, readSources())) await readTemplate()
  else await makeTemplate()

  return {
    template: () => template,
    bundleFolder: name => join(folder, productOf(name)),
    outdated: findOutdated,
    makeBundle,
    makeTemplate,
    describeFailure: async error => (await maker()).describeFailure(error),
    close: async () => (await loading)?.stopBundler(),
  }
}
