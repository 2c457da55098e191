import { html, useEffect, useState } from '/shop/vendor/preact.js'

const most = 9999

/** A number of bottles: typed, or one fewer or more. `onChange` is told of whole numbers from 1 on. */
export const Quantity = ({ value, label, fewer, more, onChange, isBusy = false }) => {
  const [text, setText] = useState(String(value))
  // What was refused goes back to what holds.
  useEffect(() => {
    if (!isBusy) setText(String(value))
  }, [value, isBusy])
  const change = wanted => {
    const number = Math.min(most, Math.max(1, Math.trunc(Number(wanted)) || 1))
    setText(String(number))
    if (number !== value) onChange(number)
  }
  return html`<div class="quantity">
    <button type="button" aria-label=${fewer} disabled=${value <= 1} onClick=${() => change(value - 1)}>−</button>
    <input type="text" inputmode="numeric" pattern="[0-9]*" maxlength="4" autocomplete="off" aria-label=${label}
      aria-busy=${isBusy ? 'true' : undefined} value=${text} onInput=${event => setText(event.target.value)}
      onChange=${event => change(event.target.value)} />
    <button type="button" aria-label=${more} disabled=${value >= most} onClick=${() => change(value + 1)}>+</button>
  </div>`
}
