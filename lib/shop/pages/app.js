import { html, render, useEffect, useMemo, useRef, useState } from '/shop/vendor/preact.js'
import { get, getPublic, speak } from './api.js'
import { forgetAll, Shop } from './context.js'
import { formatted } from './formats.js'
import { Layout } from './parts/layout.js'
import { Failed, Loading } from './parts/states.js'
import { routeOf } from './router.js'
import de from './texts/de.js'
import en from './texts/en.js'

const texts = { de, en }

const views = {
  start: () => import('./views/start.js'),
  wines: () => import('./views/wines.js'),
  wine: () => import('./views/wine.js'),
  basket: () => import('./views/basket.js'),
  checkout: () => import('./views/checkout.js'),
  thanks: () => import('./views/thanks.js'),
  payment: () => import('./views/payment.js'),
  paymentCancelled: () => import('./views/payment-cancelled.js'),
  account: () => import('./views/account.js'),
  accountOrder: () => import('./views/account-order.js'),
  signIn: () => import('./views/sign-in.js'),
  register: () => import('./views/register.js'),
  activate: () => import('./views/activate.js'),
  forgot: () => import('./views/forgot.js'),
  reset: () => import('./views/reset.js'),
  mailbox: () => import('./views/mailbox.js'),
  shipping: () => import('./views/shipping.js'),
  imprint: () => import('./views/imprint.js'),
  terms: () => import('./views/legal.js'),
  withdrawal: () => import('./views/legal.js'),
  privacy: () => import('./views/legal.js'),
  missing: () => import('./views/missing.js'),
}

const languageKey = 'shop-language'

const firstLanguage = () => {
  const kept = localStorage.getItem(languageKey)
  if (kept === 'de' || kept === 'en') return kept
  return navigator.languages.find(one => /^(de|en)\b/.test(one))?.slice(0, 2) ?? 'en'
}

const here = () => ({ path: location.pathname, search: location.search, hash: location.hash })

/** The view of a page, which is loaded when it is first visited. */
const View = ({ name }) => {
  const [state, setState] = useState({})
  useEffect(() => {
    let isLeft = false
    views[name]().then(
      module => isLeft || setState({ name, Shown: module.View }),
      () => isLeft || setState({ name, error: { status: 0 } }),
    )
    return () => {
      isLeft = true
    }
  }, [name])
  if (state.name !== name) return html`<${Loading} />`
  if (state.error) return html`<${Failed} error=${state.error} retry=${() => location.reload()} />`
  return html`<${state.Shown} />`
}

const isPlainClick = event =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

const App = () => {
  const [chosen, setChosen] = useState(firstLanguage)
  // Texts and the names of grapes, regions, … change together: a page never speaks two languages.
  const [{ language, labels }, setSpoken] = useState({ language: chosen })
  const [session, setSession] = useState()
  const [failure, setFailure] = useState()
  const [at, setAt] = useState(here)
  const [news, setNews] = useState('')
  const wantsFocus = useRef(false)
  const wantsScroll = useRef()
  const t = texts[language]
  // Not in an effect: those of the pages, which ask the server, run before it.
  speak(language)

  const loadSession = () => get('session').then(setSession)

  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  const load = () => {
    let isLeft = false
    setFailure(undefined)
    const spoken = getPublic(`/localization/${chosen}`).then(
      labels => isLeft || setSpoken({ language: chosen, labels }),
    )
    Promise.all([spoken, session ?? loadSession()]).catch(error => isLeft || setFailure(error))
    return () => {
      isLeft = true
    }
  }
  useEffect(load, [chosen])

  const go = (href, { replace = false, stay = false } = {}) => {
    if (replace) history.replaceState(history.state, '', href)
    else {
      history.replaceState({ scroll: scrollY }, '')
      history.pushState({}, '', href)
    }
    if (!stay) {
      wantsFocus.current = true
      scrollTo(0, 0)
    }
    setAt(here())
  }

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const click = event => {
      const link = event.target instanceof Element && event.target.closest('a[href]')
      if (!link || !isPlainClick(event) || link.target || link.origin !== location.origin) return
      if (!routeOf(link.pathname) || link.hasAttribute('download')) return
      if (link.hash && link.pathname === location.pathname && link.search === location.search) return
      event.preventDefault()
      go(link.href)
    }
    const back = () => {
      wantsFocus.current = true
      wantsScroll.current = history.state?.scroll ?? 0
      setAt(here())
    }
    document.addEventListener('click', click)
    addEventListener('popstate', back)
    return () => {
      document.removeEventListener('click', click)
      removeEventListener('popstate', back)
    }
  }, [])

  const place = useMemo(() => routeOf(at.path) ?? { name: 'missing', params: {} }, [at.path])
  const shop = {
    t,
    language,
    format: useMemo(() => formatted(language), [language]),
    labels,
    session,
    at,
    place,
    wantsFocus,
    wantsScroll,
    go,
    speakLanguage: chosen => {
      localStorage.setItem(languageKey, chosen)
      setChosen(chosen)
    },
    // The same sentence twice is said twice.
    announce: sentence => {
      setNews('')
      requestAnimationFrame(() => setNews(sentence))
    },
    setBottles: bottles => setSession(before => ({ ...before, bottles })),
    reloadSession: () => {
      forgetAll()
      return loadSession()
    },
  }
  const isReady = labels && session
  return html`<${Shop.Provider} value=${shop}>
    <${Layout}>
      ${failure && html`<${Failed} error=${failure} retry=${load} />`}
      ${!failure && !isReady && html`<${Loading} />`}
      ${!failure && isReady && html`<${View} key=${at.path} name=${place.name} />`}
    <//>
    <div class="visually-hidden" role="status" aria-live="polite">${news}</div>
  <//>`
}

const root = document.getElementById('app')
root.replaceChildren()
render(html`<${App} />`, root)
