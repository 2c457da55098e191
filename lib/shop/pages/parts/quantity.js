import { html, useEffect, useState } from '/shop/vendor/preact.js'

const max = 9999

/** A number of bottles. `onChange` receives integers from 1 on. */
export const Quantity = ({ value, label, fewer, more, onChange, isBusy = false }) => {
  const [text, setText] = useState(String(value))
  // A refused number is reset.
  useEffect(() => {
    if (!isBusy) setText(String(value))
  }, [value, isBusy])
  const change = wanted => {
    const number = Math.min(max, Math.max(1, Math.trunc(Number(wanted)) || 1))
    setText(String(number))
    if (number !== value) onChange(number)
  }
  return html`<div class="quantity">
    <button type="button" aria-label=${fewer} disabled=${value <= 1} onClick=${() => change(value - 1)}>−</button>
    <input type="text" inputmode="numeric" pattern="[0-9]*" maxlength="4" autocomplete="off" aria-label=${label}
      aria-busy=${isBusy ? 'true' : undefined} value=${text} onInput=${event => setText(event.target.value)}
      onChange=${event => change(event.target.value)} />
    <button type="button" aria-label=${more} disabled=${value >= max} onClick=${() => change(value + 1)}>+</button>
  </div>`
}
