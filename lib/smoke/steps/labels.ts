import type { GivenFacts } from '../../../shared/contract/records/facts.ts'
import { demand, same } from '../compare.ts'
import { type Step, step } from '../walk.ts'

const facts = {
  ingredients: [{ key: 'grapes' }, { key: 'sulphites' }],
  nutrition: { glycerol: '7.0', negligible: ['fat', 'saturates', 'protein', 'salt'] },
  packaging: [{ part: 'bottle', material: 'GL 71' }],
  operator: { role: 'bottled_by', name: 'Weingut Beispiel', address: 'Hauptstraße 1, 01067 Dresden' },
} satisfies GivenFacts

/** Gives the walk's own wine its facts, and publishes its electronic label. */
export const labelSteps: readonly Step[] = [
  step('/service/wines/edit', 'gives the wine its facts, and publishes its label', async walk => {
    const { id } = walk.need('wine')
    const analysis = { alcohol: '12.0', sweetness: '3.0', acid: '6.0' }
    const change = { ...analysis, facts: { ...facts, published: true } }
    walk.things.wine = (await walk.ask('/service/wines/edit', { id, data: change })).data
    same(walk.things.wine, { id, ...analysis })
  }),
  step('/service/facts/getAll', 'reads the facts, with the energy computed', async walk => {
    const { id, hash } = walk.need('wine')
    const answer = await walk.ask('/service/facts/getAll', { wine_id: id })
    same(answer.facts, facts, 'facts')
    same(answer.label.status, 'published', 'label.status')
    same(
      answer.data.slice(0, 2).map(({ quantity, unit }) => `${quantity} ${unit}`),
      ['294 kJ', '71 kcal'],
      'the energy',
    )
    same(answer.label.url?.endsWith(`/e/${hash}`), true, 'the end of label.url')
  }),
  step('/service/wines/check', 'lists the wines that are for sale with what is missing', async walk => {
    const { id, name } = walk.need('wine')
    const { data, incomplete } = await walk.ask('/service/wines/check', { pageSize: 100, language: 'de' })
    const own = data.find(one => one.id === id)
    // A merchant may have more wines than a page.
    if (own) same(own, { name, missing: [{ word: 'allergens', text: 'Die Allergene nennen nicht: Sulfite.' }] })
    same(incomplete, data.filter(({ missing }) => missing.length > 0).length, 'incomplete')
  }),
  step('/elabels/get', 'reads the label without a session', async walk => {
    const { hash } = walk.need('wine')
    const { data } = await walk.ask('/elabels/get', { uuid: hash, language: 'fr' })
    same(data.find(({ key }) => key === 'grapes')?.name, 'raisins', 'the name of the grapes')
  }),
  step('/e/{path+}', 'shows the page of the label in a language', async walk => {
    const { hash, name } = walk.need('wine')
    const { bytes, headers } = await walk.file('/e/{path+}', { path: hash, lang: 'fr' })
    demand(bytes.toString().includes(name), 'the page does not name the wine')
    same(headers.get('content-language'), 'fr', 'the header Content-Language')
    same(headers.get('referrer-policy'), 'no-referrer', 'the header Referrer-Policy')
    await walk.refused('/e/{path+}', { path: '0'.repeat(32) }, 'label_not_found')
  }),
  step('/e/{path+}', 'returns the QR code of the label', async walk => {
    const { hash } = walk.need('wine')
    const svg = await walk.file('/e/{path+}', { path: `${hash}/qr.svg` })
    demand(svg.bytes.toString().startsWith('<svg'), 'it is no SVG')
  }),
  step('/e/{path+}', 'returns the QR code as a picture', async walk => {
    const { hash } = walk.need('wine')
    const png = await walk.file('/e/{path+}', { path: `${hash}/qr.png` })
    same(png.bytes.subarray(1, 4).toString(), 'PNG', 'the beginning of a PNG')
  }),
]

/** Withdraws the label. */
export const withdrawLabelSteps: readonly Step[] = [
  step('/service/wines/edit', 'withdraws the label', async walk => {
    await walk.ask('/service/wines/edit', { id: walk.need('wine').id, data: { facts: { published: false } } })
  }),
  step('/elabels/get', 'answers that the label is withdrawn', async walk => {
    await walk.refused('/elabels/get', { uuid: walk.need('wine').hash }, 'label_withdrawn', { anonymous: true })
  }),
]
