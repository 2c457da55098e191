import { html } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { wineLink, wineName } from '../names.js'
import { Heading, usePageData } from '../parts/states.js'
import { Bottle, CardRow } from '../parts/wine.js'
import { largeHeights } from '../pictures.js'
import { storyWines, writeQuery } from '../query.js'
import { pathOf } from '../router.js'

const types = ['red', 'white', 'rose', 'sparkling', 'secco', 'destilate']

const Shelf = ({ wines }) => {
  const { t } = useShop()
  return html`<ul class="shelf" aria-label=${t.start.shelf}>
    ${wines.map(
      wine => html`<li key=${wine.id}>
        <a href=${wineLink(wine)}><${Bottle} image=${wine.image} height=${416} heights=${largeHeights} alt=${wineName(wine)}
          sizes="clamp(6.75rem, 14.85vw, 11.7rem)" eager /></a>
      </li>`,
    )}
  </ul>`
}

/** A text about a region, with some of its wines that are not `shown` already. */
const Story = ({ shown }) => {
  const { t } = useShop()
  const without = shown.map(({ id }) => id)
  const { countrycode, region } = storyWines
  const { data } = useLoad('story', signal => get('few', { ...storyWines, size: 3, without }, signal))
  if (data?.wines.length === 0) return null
  return html`<section class="story" aria-labelledby="story">
    <div class="story-text">
      <p class="eyebrow">${t.start.story.eyebrow}</p>
      <h2 id="story">${t.start.story.title}</h2>
      <p>${t.start.story.text}</p>
      <p><a class="arrow" href=${pathOf('wines') + writeQuery({ chosen: { countrycode: [countrycode], region: [region] } })}>${t.start.story.more}</a></p>
    </div>
    <${CardRow} wines=${data?.wines} size=${3} />
  </section>`
}

const Start = () => {
  const { t, format, session } = useShop()
  const { data, instead } = usePageData('start')
  if (instead) return instead
  const { topSellers, total, types: counts } = data
  const services = [
    [t.start.shippingTitle, t.start.shipping(format.money(session.merchant.shippingFreeFrom ?? '0.00'))],
    [t.start.payTitle, t.start.pay],
    [t.start.sheetTitle, t.start.sheet],
  ]
  return html`<section class="hero">
      <div class="hero-text">
        <p class="eyebrow">${t.start.eyebrow}</p>
        <${Heading} title="">${t.start.title}<//>
        <p class="lead">${t.start.lead(format.number(total))}</p>
        <p><a class="arrow" href=${pathOf('wines')}>${t.start.browse}</a></p>
      </div>
      <${Shelf} wines=${topSellers.slice(4, 8)} />
    </section>
    <section aria-labelledby="popular">
      <div class="section-head">
        <h2 id="popular">${t.start.popular}</h2>
        <p>${t.start.popularLead}</p>
      </div>
      <${CardRow} wines=${topSellers.slice(0, 4)} />
    </section>
    <${Story} shown=${topSellers} />
    <section aria-labelledby="by-type">
      <div class="section-head"><h2 id="by-type">${t.start.byType}</h2></div>
      <ul class="tiles">
        ${types
          .filter(type => counts[type])
          .map(
            type => html`<li class=${`tile ${type}`}>
              <a href=${pathOf('wines') + writeQuery({ chosen: { type: [type] } })}>
                <strong>${t.types[type]}</strong> <span>${t.list.found(counts[type])}</span>
              </a>
            </li>`,
          )}
      </ul>
    </section>
    <section aria-labelledby="services">
      <h2 id="services" class="visually-hidden">${t.start.services}</h2>
      <div class="services">
        ${services.map(([title, text]) => html`<div><h3>${title}</h3><p>${text}</p></div>`)}
      </div>
    </section>`
}

export const views = { start: Start }
