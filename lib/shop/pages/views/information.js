import { html } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { AddressText } from '../parts/form.js'
import { Definitions, Heading, usePageData } from '../parts/states.js'
import { pathOf } from '../router.js'

/** The mails that a real shop would have sent to this visitor. */
const Mailbox = () => {
  const { t, format } = useShop()
  const { data, instead } = usePageData('mailbox')
  if (instead) return instead
  return html`<div class="prose"><${Heading} title=${t.mailbox.title} />
    <div class="notice"><p>${t.mailbox.lead}</p></div>
    ${data.mails.length === 0 && html`<p>${t.mailbox.none}</p>`}
    <ul class="mails">
      ${data.mails.map(
        ({ about, to, subject, text, link, sent }) => html`<li key=${about} class="panel">
          <h2>${subject}</h2>
          <p class="small">${t.mailbox.to} ${to} · ${format.time(sent)}</p>
          <p class="mail-text">${text}</p>
          ${link && html`<p><a class="button quiet" href=${link}>${t.mailbox.open}</a></p>`}
        </li>`,
      )}
    </ul></div>`
}

const Shipping = () => {
  const { t, format, session } = useShop()
  const { data, instead } = usePageData('shipping')
  if (instead) return instead
  const freeFrom = session.merchant.shippingFreeFrom
  return html`<div class="prose"><${Heading} title=${t.legal.shipping} />
    ${t.legal.shippingText.map(text => html`<p>${text}</p>`)}
    <table>
      <caption class="visually-hidden">${t.legal.cost}</caption>
      <thead><tr><th scope="col">${t.legal.bottles}</th><th scope="col">${t.legal.cost}</th></tr></thead>
      <tbody>
        ${data.packages.map(
          ({ id, min_bottles, max_bottles, gross }) => html`<tr key=${id}>
            <th scope="row">${t.legal.upTo(min_bottles, max_bottles)}</th><td>${format.money(gross)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${freeFrom && html`<p>${t.legal.freeFrom(format.money(freeFrom))}</p>`}
    <h2>${t.checkout.payment}</h2>
    <p>${t.start.pay}</p>
    <div class="notice"><p>${t.legal.demo}</p></div></div>`
}

/** A page of paragraphs, with a notice that it belongs to a demo. */
const Legal = ({ children }) => {
  const { t, route } = useShop()
  return html`<div class="prose"><${Heading} title=${t.legal[route.name]} />
    <div class="notice"><p>${t.legal.demo}</p></div>
    ${t.legal[`${route.name}Text`].map(text => html`<p>${text}</p>`)}${children}</div>`
}

const Imprint = () => {
  const { t, session } = useShop()
  const { merchant } = session
  const rows = [
    [t.form.phone, merchant.phone],
    [t.form.mail, merchant.mail],
    [t.legal.vatid, merchant.vatid],
    [t.legal.taxid, merchant.taxid],
  ]
  return html`<${Legal}><${AddressText} address=${merchant} />
    <div class="facts"><${Definitions} rows=${rows} /></div>
    <p class="small">${t.legal.managing}</p><//>`
}

/** The page of an unknown address. */
const Missing = () => {
  const { t } = useShop()
  return html`<${Heading} title=${t.notFound.title} />
    <p class="lead">${t.notFound.lead}</p>
    <p><a class="arrow" href=${pathOf('wines')}>${t.start.browse}</a></p>`
}

export const views = {
  ...{ mailbox: Mailbox, shipping: Shipping, imprint: Imprint, missing: Missing },
  ...{ terms: Legal, withdrawal: Legal, privacy: Legal },
}
