import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { grapeIdOf, grapeName, isInterfaceGrape } from '../../../shared/contract/labels/labels.ts'
import { type Grape, grapeFields } from '../../../shared/contract/records/grape.ts'
import { key, lastNumber, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { queryEntries } from '../../../shared/platform/table/table.ts'
import { put } from '../../../shared/platform/table/transact.ts'
import { planRows } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

type State = { version: number; grapes: Grape[] }

const readGrapes = async (merchant: MerchantId): Promise<Grape[]> => {
  const entries = await queryEntries({ pk: partition('grape', { merchant }) })
  return entries.map(({ sk, item: { name } }) => ({ id: lastNumber(sk), name }))
}

const rowOf = ({ id, name }: Grape): Grape => ({ id, name })

const warningOf = ({ id, name }: Grape): string | undefined => {
  if (isInterfaceGrape(id)) return undefined
  const known = grapeIdOf(name)
  const instead = known && isInterfaceGrape(known) ? `; with the id ${known} they name ${grapeName(known, 'de')}` : ''
  return `warning: mails of shops that bring their own labels show grapetypes.${id}.name for ${name}${instead}`
}

/** Grapes in files. */
export const grapes: Kind<Grape, Grape, State> = {
  name: 'grapes',
  keyed: 'a grape is identified by the id that wines use; ids with a label of the service keep it',
  format: formatOf(grapeFields, ['id', 'name']),
  titleOf: ({ id, name }) => `${id} ${name}`,
  read: async merchant => {
    const version = await readRecordsVersion(merchant, 'grapes')
    return { version, grapes: await readGrapes(merchant) }
  },
  plan: (state, rows, lines) =>
    planRows(state.grapes, rows, { column: 'id', single: 'that of a single grape', rowOf }, lines),
  writes: (merchant, { state: { version }, plan: { additions, changes } }) => {
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const groups = rows.map(({ id, name }) => [put(`grape ${id}`, key('grape', { merchant, id }), { name })])
    return inVersions(merchant, 'grapes', version, groups)
  },
  warningOf,
  exportRows: state => ({ rows: state.grapes.map(rowOf), leftOut: 0 }),
}
