import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { AddressText } from '../parts/form.js'
import { Heading } from '../parts/states.js'

/** Who runs the shop, as the merchant tells of itself. */
export const View = () => {
  const { t, session } = useShop()
  const { merchant } = session
  const rows = [
    [t.legal.phone, merchant.phone],
    [t.form.mail, merchant.mail],
    [t.legal.vatid, merchant.vatid],
    [t.legal.taxid, merchant.taxid],
  ].filter(([, value]) => value)
  return html`<div class="prose"><${Heading} title=${t.legal.imprint} />
    <div class="notice"><p>${t.legal.demo}</p></div>
    ${t.legal.imprintText.map(text => html`<p>${text}</p>`)}
    <${AddressText} address=${merchant} />
    <div class="facts"><dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>
    <p class="small">${t.legal.managing}</p></div>`
}
