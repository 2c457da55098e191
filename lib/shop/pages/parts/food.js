import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { ingredientGroups, nutritionOf } from '../food.js'

/** The name of an ingredient; that of an allergen is emphasized. */
const Ingredient = ({ row: { name, allergen } }) => (allergen === 1 ? html`<strong>${name}</strong>` : name)

const Group = ({ group: { subgroup, isEither, members } }) => {
  const { t } = useShop()
  const separator = isEither ? ` ${t.food.andOr} ` : ', '
  const listed = members.map((row, n) => [n > 0 && separator, html`<${Ingredient} row=${row} />`])
  // The law demands the class of additives alone.
  const name = t.food.subgroups[subgroup]
  if (!name) return listed
  return html`${name}: ${isEither && `${t.food.contains} `}${listed}`
}

const Ingredients = ({ rows }) => {
  const { t } = useShop()
  const groups = ingredientGroups(rows)
  if (groups.length === 0) return null
  return html`<h2>${t.food.ingredients}</h2>
    <p>${groups.map((group, n) => [n > 0 && '; ', html`<${Group} group=${group} />`])}</p>`
}

// A row of which it is a part comes before it.
const parts = ['saturates', 'sugars']

const Nutrition = ({ rows }) => {
  const { t, format } = useShop()
  const nutrition = nutritionOf(rows)
  if (!nutrition) return null
  const energy = t.food.energy(format.number(nutrition.energy.kj), format.number(nutrition.energy.kcal))
  const negligible = nutrition.negligible.map(({ key }) => t.food.amounts[key])
  return html`<h2>${t.food.nutrition}</h2>
    <table>
      <thead><tr><td></td><th scope="col">${t.food.per}</th></tr></thead>
      <tbody>
        <tr><th scope="row">${nutrition.name}</th><td>${energy}</td></tr>
        ${nutrition.amounts.map(
          ({ key, name, quantity }) =>
            html`<tr><th scope="row" class=${parts.includes(key) ? 'part' : undefined}>${name}</th>
              <td>${t.food.grams(format.number(quantity))}</td></tr>`,
        )}
      </tbody>
    </table>
    ${negligible.length > 0 && html`<p>${t.food.negligible(format.list(negligible))}</p>`}
    <p><strong>${t.food.short(energy)}</strong></p>`
}

/** The ingredients and the nutrition declaration of a wine, which a buyer must see before the order. */
export const Food = ({ food: { rows, label } }) => {
  const { t } = useShop()
  if (rows.length === 0) return null
  return html`<section class="food" aria-label=${t.food.title}>
    <${Ingredients} rows=${rows} />
    <${Nutrition} rows=${rows} />
    ${label && html`<p><a href=${label}>${t.food.label}</a></p>`}
  </section>`
}
