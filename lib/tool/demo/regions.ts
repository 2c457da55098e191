import { isRegionOf, regionIdOf } from '../../../shared/contract/labels/labels.ts'
import { readTable, type XWine } from './xwines.ts'

// X-Wines' region names that are not those of the labels. An appellation belongs to the smallest region that contains
// it, Beaujolais and Chablis to Bourgogne.
const idByName = new Map(
  readTable('regions.csv').flatMap(({ countrycode, region, names = '' }) =>
    names.split('|').map(name => [`${countrycode} ${name}`, Number(region)] as const),
  ),
)

/** The region id of a wine, by X-Wines' name for it. Throws RangeError if the country has no region of that name. */
export const regionOf = ({ countrycode, regionName }: XWine): number => {
  const region = idByName.get(`${countrycode} ${regionName}`) ?? regionIdOf(regionName)
  if (region === undefined || !isRegionOf(countrycode, region))
    throw new RangeError(`no region of ${countrycode} is called ${regionName}`)
  return region
}
