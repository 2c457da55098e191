import { html, useRef } from '/shop/vendor/preact.js'
import { useShop } from '../context.js'
import { pathOf } from '../router.js'
import { Search } from './search.js'

const types = ['red', 'white', 'rose', 'sparkling']

const Mark = () => html`<svg class="mark" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
  <circle cx="32" cy="32" r="29" />
  <path class="full" d="M23.5 12.5h17l.8 6.5c.6 6-4 9.5-9.3 9.500s-9.900-3.500-9.300-9.500z" />
  <path d="M32 28.500v10" />
  <path d="M10 42c4.500-4 8.500-4 13 0s8.500 4 13 0 8.500-4 13 0q2.500 2 5 2.300" />
  <path d="M16 50.500c3.500-3 6.500-3 10 0s6.500 3 10 0 6.500-3 10 0" />
</svg>`

const Languages = () => {
  const { t, language, chooseLanguage } = useShop()
  const names = { de: 'Deutsch', en: 'English' }
  return html`<div class="languages" role="group" aria-label=${t.nav.language}>
    ${Object.entries(names).map(
      ([code, name]) =>
        html`<button type="button" lang=${code} aria-pressed=${code === language ? 'true' : 'false'}
          onClick=${() => chooseLanguage(code)}>${code.toUpperCase()}<span class="visually-hidden"> ${name}</span></button>`,
    )}
  </div>`
}

const Header = () => {
  const { t, at, route, session } = useShop()
  const count = session?.bottles ?? 0
  const current = path => (at.path + at.search === path ? 'page' : undefined)
  const typeLink = type => `${pathOf('wines')}?type=${type}`
  return html`<header class="header">
    <p class="demo-line">${t.demo}</p>
    <div class="header-main wrap">
      <a class="brand" href="/">
        <${Mark} />
        <span><strong>${t.name}</strong><small>${t.motto}</small></span>
      </a>
      <${Search} />
      <div class="tools">
        <${Languages} />
        <a class="tool" href=${pathOf(session?.client ? 'account' : 'signIn')}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="8" r="4" /><path d="M4 21c.6-4.500 3.800-7 8-7s7.400 2.500 8 7" /></svg>
          <span>${session?.client ? t.account.title : t.account.signIn}</span>
        </a>
        <a class="tool" href=${pathOf('basket')}
          aria-current=${route.name === 'basket' ? 'page' : undefined}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 9h18l-2 11H5zM8 9l3-6M16 9l-3-6" /></svg>
          <span>${t.basket.title}</span>
          ${count > 0 && html`<b class="badge">${count}<span class="visually-hidden"> ${t.nav.pieces}</span></b>`}
        </a>
      </div>
    </div>
    <nav class="range" aria-label=${t.nav.label}>
      <ul class="wrap">
        <li><a href=${pathOf('wines')} aria-current=${current(pathOf('wines'))}>${t.nav.all}</a></li>
        ${types.map(type => html`<li><a href=${typeLink(type)} aria-current=${current(typeLink(type))}>${t.types[type]}</a></li>`)}
        <li><a href=${pathOf('shipping')} aria-current=${current(pathOf('shipping'))}>${t.legal.shipping}</a></li>
      </ul>
    </nav>
  </header>`
}

const Footer = () => {
  const { t, session } = useShop()
  const { company, address, zip, city, phone, mail } = session?.merchant ?? {}
  const legal = ['imprint', 'terms', 'withdrawal', 'privacy', 'shipping']
  return html`<footer class="footer">
    <div class="wrap footer-parts">
      <div>
        <p class="footer-name">${t.name}</p>
        ${company && html`<address>${company}<br />${address}<br />${zip} ${city}<br />${phone}<br />${mail}</address>`}
      </div>
      <nav aria-label=${t.legal.label}>
        <ul>
          ${legal.map(name => html`<li><a href=${pathOf(name)}>${t.legal[name]}</a></li>`)}
          <li><a href=${pathOf('mailbox')}>${t.mailbox.title}</a></li>
        </ul>
      </nav>
      <div>
        <p class="age"><b aria-hidden="true">18+</b> ${t.legal.ageNotice}</p>
        <p>${t.legal.footer}</p>
      </div>
    </div>
  </footer>`
}

/** Header and footer of every page. */
export const Layout = ({ children }) => {
  const { t } = useShop()
  const main = useRef()
  // Following the link would scroll without moving the focus.
  const skip = event => {
    event.preventDefault()
    main.current.focus()
    main.current.scrollIntoView()
  }
  return html`<a class="skip" href="#main" onClick=${skip}>${t.skip}</a>
    <${Header} />
    <main id="main" class="wrap" tabindex="-1" ref=${main}>${children}</main>
    <${Footer} />`
}
