import { same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

const nowhere = 2 ** 52 + 1

const packagesOf = async (walk: Walk) => (await walk.ask('/service/packaging/getAll', {})).data

/**
 * Changes the packages of a merchant that has some to their own values only: each further package would change shipping
 * costs. A merchant without packages gets a free package for a moment, which changes no cost either.
 */
export const packageSteps: readonly Step[] = [
  step('/service/packages/add', 'adds a free package, or is refused the range of another one', async walk => {
    const [first] = await packagesOf(walk)
    if (first) {
      const { min_bottles, max_bottles } = first
      const data = { min_bottles, max_bottles, gross: '0.00', taxrate: 19 }
      await walk.refused('/service/packages/add', { data }, 'validation_failed')
      return 'the merchant has packages: validation_failed'
    }
    walk.writes('package')
    const data = { min_bottles: 1, max_bottles: 6, gross: '0.00', taxrate: 19 }
    const { data: added } = await walk.ask('/service/packages/add', { data })
    walk.things.package = added.id
    same(added, { ...data, net: '0.00', tax: '0.00', min_weight: null })
    return undefined
  }),
  step('/service/packages/edit', 'saves a package unchanged', async walk => {
    const [first] = await packagesOf(walk)
    if (!first) return 'the merchant has none'
    const { id, gross, taxrate } = first
    same((await walk.ask('/service/packages/edit', { id, data: { gross, taxrate } })).data, first)
    return undefined
  }),
  step('/service/packages/delete', 'deletes that package, or is refused an unknown one', async walk => {
    const id = walk.things.package
    if (id === undefined) {
      await walk.refused('/service/packages/delete', { id: nowhere }, 'package_not_found')
      return 'the walk added none: package_not_found'
    }
    same((await walk.ask('/service/packages/delete', { id })).data.id, id)
    same(await packagesOf(walk), [])
    delete walk.things.package
    return undefined
  }),
]
