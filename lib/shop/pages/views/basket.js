import { html, useState } from '/shop/vendor/preact.js'
import { post } from '../api.js'
import { useShop } from '../context.js'
import { itemsSentence } from '../errors.js'
import { wineLink, wineName } from '../names.js'
import { Quantity } from '../parts/quantity.js'
import { Heading, Message, usePageData } from '../parts/states.js'
import { BasketSums, totalOf } from '../parts/sums.js'
import { Bottle, perLitre } from '../parts/wine.js'
import { times } from '../price.js'
import { pathOf } from '../router.js'

const Item = ({ item, act }) => {
  const shop = useShop()
  const { t, format } = shop
  const [state, setState] = useState({})
  const name = item.isGone ? t.basket.gone : wineName(item)
  const run = async (...asked) => {
    setState({ isBusy: true })
    setState({ error: await act(item, name, ...asked) })
  }
  return html`<li class="line">
    <div class="stage small-stage">${!item.isGone && html`<${Bottle} image=${item.image} height=${120} />`}</div>
    <div class="line-text">
      <h2>${item.isGone ? name : html`<a href=${wineLink({ id: item.item_id, path_segment: item.path_segment })}>${name}</a>`}</h2>
      ${
        !item.isGone &&
        html`<p class="small">${t.basket.each(format.money(item.gross))}${item.base_price && ` · ${perLitre(item.base_price, shop)}`}</p>`
      }
      ${item.nostock === 1 && html`<p class="said bad">${t.card.soldOut}</p>`}
      ${state.error && html`<p class="said bad" role="alert">${state.error}</p>`}
      <div class="line-tools">
        ${
          !item.isGone &&
          html`<${Quantity} value=${item.quantity} label=${t.basket.quantity(name)} fewer=${t.basket.fewer(name)}
            more=${t.basket.more(name)} isBusy=${state.isBusy} onChange=${quantity => run('change', { quantity })} />`
        }
        <button type="button" class="link" onClick=${() => run('remove')}>${t.basket.remove}<span class="visually-hidden"> ${name}</span></button>
      </div>
    </div>
    ${!item.isGone && html`<p class="line-total">${format.money(times(item.gross, item.quantity))}</p>`}
  </li>`
}

const Basket = () => {
  const { t, format, announce, setBottles } = useShop()
  const { data: basket, instead, set } = usePageData('basket')
  if (instead) return instead
  /** Changes an item; returns a sentence if it fails. */
  const act = async (item, name, verb, more = {}) => {
    try {
      const changed = await post(`basket/${verb}`, { id: item.id, ...more })
      set(changed)
      setBottles(changed.bottles)
      announce(verb === 'remove' ? t.basket.removed(name) : t.basket.changed(format.money(changed.goods)))
      // The button that was pressed is gone with its line.
      if (verb === 'remove') document.querySelector('h1')?.focus()
      return undefined
    } catch (failure) {
      set({ ...basket })
      return itemsSentence(failure, [{ ...item, name }], t)
    }
  }
  if (basket.items.length === 0)
    return html`<${Message} title=${t.basket.title} lead=${t.basket.empty} href=${pathOf('wines')} link=${t.basket.browse} />`
  return html`<${Heading} title=${t.basket.title} />
    ${basket.isWaiting && html`<div class="notice"><p>${t.basket.waiting}</p></div>`}
    <div class="with-side">
      <ul class="lines">${basket.items.map(item => html`<${Item} key=${item.id} item=${item} act=${act} />`)}</ul>
      <aside class="side" aria-labelledby="summary">
        <div class="side-text">
          <h2 id="summary">${t.basket.summary}</h2>
          <${BasketSums} basket=${basket} />
          <p class="small">${t.wine.delivery}.${basket.min_age && ` ${t.wine.age(basket.min_age)}.`}</p>
        </div>
        <div class="pay">
          <p>${t.basket.total} <strong>${format.money(totalOf(basket))}</strong></p>
          <a class="button" href=${pathOf('checkout')}>${t.basket.checkout}</a>
        </div>
      </aside>
    </div>`
}

export const views = { basket: Basket }
