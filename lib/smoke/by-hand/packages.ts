import { sendListed } from '../listed.ts'
import { type ByHand, byHand, type Walk } from '../walk.ts'

const packagesOf = async (walk: Walk) => (await walk.ask('/service/packaging/getAll', {})).data

/**
 * Changes the packages of a merchant that has some to their own values only: each further one would change shipping costs. A
 * merchant without packages gets a free one for a moment, which changes no cost either.
 */
export const packageSteps: readonly ByHand[] = [
  byHand(
    '/service/packages/add',
    'adds a free package, or is refused the range of another one',
    async (walk, listed) => {
      const [first] = await packagesOf(walk)
      const { min_bottles, max_bottles } = first ?? { min_bottles: 1, max_bottles: 6 }
      const data = { min_bottles, max_bottles, gross: '0.00', taxrate: 19 }
      if (first) {
        await walk.expectRefusal(listed.path, { data }, 'validation_failed')
        return 'the merchant has packages: validation_failed'
      }
      walk.things.addsPackage = true
      await sendListed(walk, {
        ...listed,
        request: { data },
        as: 'package',
        expect: { data: { net: '0.00', tax: '0.00' } },
      })
      return undefined
    },
  ),
  byHand('/service/packages/edit', 'saves a package unchanged', async (walk, listed) => {
    const [first] = await packagesOf(walk)
    if (!first) return 'the merchant has none'
    const { id, gross, taxrate } = first
    await sendListed(walk, { ...listed, request: { id, data: { gross, taxrate } }, expect: { data: first } })
    return undefined
  }),
  byHand('/service/packages/delete', 'deletes that package, or is refused an unknown one', async (walk, listed) => {
    const own = walk.things.package
    const refusal = own ? {} : ({ refused: 'package_not_found' } as const)
    await sendListed(walk, { ...listed, request: { id: '{package.id?}' }, ...refusal })
    return own ? undefined : 'the walk added none: package_not_found'
  }),
]
