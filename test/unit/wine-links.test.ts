import { publicView, publicWineOf, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

const shown = { active: 1, public: 1, shop: 0 } as const
const stored = { ...bare, ...shown, id: 12, path_segment: 'alt', pdf: null, expertisePdf: null }
const links = { pdf: 'alt.pdf', expertisePdf: '/PDF/12/alt.pdf' }

test('a wine that was stored without the link of its PDF has it when it is read', () => {
  const { expertise, publicTranslations, ...wine } = wineOf({ doc: JSON.stringify(stored) })
  expect(wine).toMatchObject(links)
  expect(publicWineOf({ doc: JSON.stringify(publicView(stored)) })).toMatchObject(links)
})

test('the winery of a wine has defaults for fields that it was stored without', () => {
  const doc = JSON.stringify({ ...stored, winery: { id: 3, name: 'Gut' } })
  for (const { winery } of [wineOf({ doc }), publicWineOf({ doc })])
    expect(winery).toMatchObject({ id: 3, name: 'Gut', company: null, freetext: null })
})

test('a wine that has the link of its PDF keeps it under another path_segment', () => {
  const kept = { pdf: 'früher.pdf', expertisePdf: '/PDF/12/fr%C3%BCher.pdf' }
  expect(wineOf({ doc: JSON.stringify({ ...stored, ...kept }) })).toMatchObject(kept)
})

test.each([
  [{ active: 1, public: 1, shop: 0 }, true],
  [{ active: 1, public: 0, shop: 1 }, true],
  [{ active: 1, public: 0, shop: 0 }, false],
  [{ active: 0, public: 1, shop: 1 }, false],
] as const)('a wine has the public link of its PDF if the PDF is public: %j', (state, has) => {
  for (const pdf of [null, 'alt.pdf']) {
    const wine = wineOf({ doc: JSON.stringify({ ...stored, expertisePdf: links.expertisePdf, ...state, pdf }) })
    expect(wine).toMatchObject({ pdf: 'alt.pdf', expertisePdf: has ? links.expertisePdf : null })
  }
})
