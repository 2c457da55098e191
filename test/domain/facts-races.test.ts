import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import type { Json } from '../support/harness.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { weakTable } from '../support/weak-table.ts'
import { analysis, facts } from '../support/wine-facts.ts'

// Concurrent edits of one wine, on a database that shows a transaction item by item, as DynamoDB may.

await weakTable()
const shop = await newCellar('Kellerei Faktensturm')

const wine = { name: 'Sturm', type: 'white', countrycode: 'de', region: 1008, gross: '9.50' }
const rounds = fewerInFastLane(6, 60)

/** Repeats an edit that the busy service refuses: it may have done it. */
const edit = async (id: number, data: Json): Promise<void> => {
  for (;;) {
    const { status, json } = await shop.call('wines/edit', { id, data })
    if (status === 503) continue
    expect([status, json.error]).toEqual([200, undefined])
    return
  }
}

test('no edit of facts is lost, and the label shows the last state of wine and facts', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const added = await shop.call('wines/add', { data: { ...wine, ...analysis, facts: { ...facts, published: 1 } } })
    const { id, hash } = added.json.data
    const operator = { ...facts.operator, name: 'Abfüller 1' }
    await Promise.all([
      edit(id, { facts: { operator } }),
      edit(id, { facts: { nutrition: { ...facts.nutrition, glycerol: '8.0' } } }),
      edit(id, { facts: { packaging: [] } }),
      edit(id, { sweetness: '4.0' }),
      edit(id, { name: 'Sturm 1' }),
    ])
    const nutrition = { sugars: '0.4', carbohydrate: '1.2' }
    expect(JSON.parse((await getItem(key('label', { hash })))?.doc ?? '')).toMatchObject({
      name: 'Sturm 1',
      operator,
      packaging: [],
      nutrition,
    })
    const shown = (await shop.call('facts/getAll', { wine_id: id })).json.facts
    expect(shown).toMatchObject({ operator, nutrition: { glycerol: '8.0' }, packaging: [] })
  }
}, 120_000)
