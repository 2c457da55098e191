import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItems } from '../../shared/platform/table/table.ts'
import { eventually } from './eventually.ts'

/** Waits until the twin's jobs have published what a merchant changed so far; beside a table alone it publishes itself. */
export const untilPublished = async (merchant: MerchantId): Promise<void> => {
  while (process.env.TEST_TABLE && (await publishNext(merchant)) === 'more');
  const isPublished = async () => {
    const [catalogue, publication] = await getItems([key('catalogue', { merchant }), key('publication', { merchant })])
    return (publication?.high ?? 0) >= (catalogue?.version ?? 0)
  }
  if (!(await eventually(isPublished))) throw new Error(`the changes of merchant ${merchant} were not published`)
}
