import bg from '../../contract/labels/elabel/bg.json' with { type: 'json' }
import cs from '../../contract/labels/elabel/cs.json' with { type: 'json' }
import da from '../../contract/labels/elabel/da.json' with { type: 'json' }
import de from '../../contract/labels/elabel/de.json' with { type: 'json' }
import el from '../../contract/labels/elabel/el.json' with { type: 'json' }
import en from '../../contract/labels/elabel/en.json' with { type: 'json' }
import es from '../../contract/labels/elabel/es.json' with { type: 'json' }
import et from '../../contract/labels/elabel/et.json' with { type: 'json' }
import fi from '../../contract/labels/elabel/fi.json' with { type: 'json' }
import fr from '../../contract/labels/elabel/fr.json' with { type: 'json' }
import ga from '../../contract/labels/elabel/ga.json' with { type: 'json' }
import hr from '../../contract/labels/elabel/hr.json' with { type: 'json' }
import hu from '../../contract/labels/elabel/hu.json' with { type: 'json' }
import it from '../../contract/labels/elabel/it.json' with { type: 'json' }
import lt from '../../contract/labels/elabel/lt.json' with { type: 'json' }
import lv from '../../contract/labels/elabel/lv.json' with { type: 'json' }
import mt from '../../contract/labels/elabel/mt.json' with { type: 'json' }
import nl from '../../contract/labels/elabel/nl.json' with { type: 'json' }
import pl from '../../contract/labels/elabel/pl.json' with { type: 'json' }
import pt from '../../contract/labels/elabel/pt.json' with { type: 'json' }
import ro from '../../contract/labels/elabel/ro.json' with { type: 'json' }
import sk from '../../contract/labels/elabel/sk.json' with { type: 'json' }
import sl from '../../contract/labels/elabel/sl.json' with { type: 'json' }
import sv from '../../contract/labels/elabel/sv.json' with { type: 'json' }
import type { LabelLanguage } from '../../contract/labels/label-tables.ts'

/**
 * The fixed terms of a label in a language; those of English give the shape. `amounts` are the nutrients in the case that
 * `sentences.negligible` needs, `classes` have a name for `one` ingredient and for `many`. Ingredients, classes and allergens
 * begin with a small letter, as inside a sentence; all others as at the beginning of a line. Placeholders of the sentences:
 * `pair` joins a `{name}` and its `{value}`; `negligible` and `contains_allergens` have a `{list}`; `contains_and_or` has a
 * class as `{name}` and a `{list}` joined by `and_or`.
 */
export type Terms = typeof en

const terms: Readonly<Record<LabelLanguage, Terms>> = {
  ...{ bg, cs, da, de, el, en, es, et, fi, fr, ga, hr },
  ...{ hu, it, lt, lv, mt, nl, pl, pt, ro, sk, sl, sv },
}

/** The terms of a language. */
export const termsIn = (language: LabelLanguage): Terms => terms[language]
