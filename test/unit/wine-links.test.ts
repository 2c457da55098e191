import { publicView } from '../../shared/wines/public.ts'
import { publicWineOf, wineOf } from '../../shared/wines/stored.ts'
import { bare } from '../support/expertise-sheet-samples.ts'

const stored = { ...bare, id: 12, path_segment: 'alt', pdf: null, expertisePdf: null }
const links = { pdf: 'alt.pdf', expertisePdf: '/PDF/12/alt.pdf' }

test('a wine that was stored without the link of its PDF has it when it is read', () => {
  const { expertise, publicTranslations, ...wine } = wineOf({ doc: JSON.stringify(stored) })
  expect(wine).toMatchObject(links)
  expect(publicWineOf({ doc: JSON.stringify(publicView(stored)) })).toMatchObject(links)
})

test('a wine that has the link of its PDF keeps it under another path_segment', () => {
  const kept = { pdf: 'früher.pdf', expertisePdf: '/PDF/12/fr%C3%BCher.pdf' }
  expect(wineOf({ doc: JSON.stringify({ ...stored, ...kept }) })).toMatchObject(kept)
})
