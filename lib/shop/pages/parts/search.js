import { html, useEffect, useRef, useState } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useShop } from '../context.js'
import { wineLink, wineName } from '../names.js'
import { readQuery, writeQuery } from '../query.js'
import { pathOf } from '../router.js'

const typingMs = 150
const minLength = 2

const optionsOf = ({ facets, wines }, t) => [
  ...facets.map(({ facet, name, filter, total }) => ({
    href: pathOf('wines') + writeQuery({ chosen: filter }),
    name,
    about: `${t.list.facets[facet] ?? t.list.facets.features} · ${t.list.found(total)}`,
  })),
  ...wines.map(wine => ({ href: wineLink(wine), name: wineName(wine), about: wine.winery?.name ?? '' })),
]

const useSuggestions = text => {
  const { t, announce } = useShop()
  const [options, setOptions] = useState([])
  useEffect(() => {
    if (text.trim().length < minLength) return setOptions([])
    const stop = new AbortController()
    const load = async () => {
      const found = optionsOf(await get('suggest', { q: text.trim() }, stop.signal), t)
      if (stop.signal.aborted) return
      setOptions(found)
      announce(t.search.count(found.length))
    }
    // The search works without suggestions.
    const timer = setTimeout(() => load().catch(() => stop.signal.aborted || setOptions([])), typingMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return [options, setOptions]
}

const keySteps = { ArrowDown: 1, ArrowUp: -1 }

/** The search field of every page, a combobox with suggestions. */
export const Search = () => {
  const { t, at, route, go } = useShop()
  const q = route.name === 'wines' ? readQuery(at.search).q : ''
  const [text, setText] = useState(q)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  const [options, setOptions] = useSuggestions(typed)
  const field = useRef()

  const close = () => {
    setTyped('')
    setOptions([])
    setActive(-1)
  }
  useEffect(() => {
    setText(q)
    close()
  }, [at])

  const type = event => {
    setText(event.target.value)
    setTyped(event.target.value)
    setActive(-1)
  }
  const open = href => {
    close()
    field.current.blur()
    go(href)
  }
  const submit = event => {
    event.preventDefault()
    open(options[active]?.href ?? pathOf('wines') + writeQuery({ q: text.trim() }))
  }
  const press = event => {
    const step = keySteps[event.key]
    if (event.key === 'Escape' && options.length > 0) {
      event.preventDefault()
      close()
    } else if (step && options.length > 0) {
      event.preventDefault()
      // -1 is the field itself.
      const count = options.length + 1
      setActive(((active + 1 + step + count) % count) - 1)
    }
  }

  const isOpen = options.length > 0
  return html`<form class="find" role="search" onSubmit=${submit}>
    <label class="visually-hidden" for="find">${t.search.label}</label>
    <input id="find" ref=${field} type="search" role="combobox" maxlength="200" autocomplete="off" autocapitalize="none"
      spellcheck=${false} enterkeyhint="search" placeholder=${t.search.hint} value=${text} onInput=${type} onKeyDown=${press}
      onBlur=${close} aria-autocomplete="list" aria-expanded=${isOpen ? 'true' : 'false'} aria-controls="find-options"
      aria-activedescendant=${active < 0 ? undefined : `find-option-${active}`} />
    <button class="find-button" aria-label=${t.search.submit}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.500" cy="10.500" r="6.500" /><path d="M15.500 15.500 21 21" /></svg>
    </button>
    <ul id="find-options" role="listbox" aria-label=${t.search.options} hidden=${!isOpen}>
      ${options.map(
        // The field keeps the focus: blur would close the list before the click.
        ({ href, name, about }, n) => html`<li key=${href} id=${`find-option-${n}`} role="option"
          aria-selected=${n === active ? 'true' : 'false'} onMouseDown=${event => event.preventDefault()}
          onClick=${() => open(href)}><span>${name}</span> <small>${about}</small></li>`,
      )}
    </ul>
  </form>`
}
