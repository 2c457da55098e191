import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { Heading } from '../parts/states.js'
import { pathOf } from '../router.js'

/** What is shown at an address that no page has. */
export const View = () => {
  const { t } = useShop()
  return html`<${Heading} title=${t.notFound.title} />
    <p class="lead">${t.notFound.lead}</p>
    <p><a class="arrow" href=${pathOf('wines')}>${t.start.browse}</a></p>`
}
