import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { Heading } from '../parts/states.js'

/** Terms, right of withdrawal and privacy: short pages, which say that they belong to a demonstration. */
export const View = () => {
  const { t, place } = useShop()
  return html`<div class="prose"><${Heading} title=${t.legal[place.name]} />
    <div class="notice"><p>${t.legal.demo}</p></div>
    ${t.legal[`${place.name}Text`].map(text => html`<p>${text}</p>`)}</div>`
}
