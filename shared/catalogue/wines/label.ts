import { Problem } from '../../contract/errors.ts'
import type { Label } from '../../contract/records/facts.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'

/** Reads the label of a hash; undefined if none was ever published. Eventually consistent. */
export const readLabel = async (hash: string): Promise<Label | undefined> => {
  if (!/^[0-9a-f]{32}$/.test(hash)) return undefined
  const item = await getItem(key('label', { hash }), { eventual: true })
  return item && JSON.parse(item.doc)
}

/** Reads a published label. Throws label_not_found or label_withdrawn. Eventually consistent. */
export const publishedLabel = async (hash: string): Promise<Label> => {
  const label = await readLabel(hash)
  if (!label) throw new Problem('label_not_found')
  if (label.withdrawn !== null) throw new Problem('label_withdrawn')
  return label
}
