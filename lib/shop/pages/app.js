import { html, render, useEffect, useMemo, useState } from '/shop/vendor/preact.js'
import { get, getPublic, setLanguage } from './api.js'
import { forgetAll, Shop } from './context.js'
import { createFormats } from './formats.js'
import { useNavigation } from './navigation.js'
import { Layout } from './parts/layout.js'
import { Failed, Loading } from './parts/states.js'
import { routeOf } from './router.js'
import de from './texts/de.js'
import en from './texts/en.js'

const texts = { de, en }

/** The modules of the views; each exports its `views` by the names of their pages. */
const modules = [
  [['start'], () => import('./views/start.js')],
  [['wines'], () => import('./views/wines.js')],
  [['wine'], () => import('./views/wine.js')],
  [['basket'], () => import('./views/basket.js')],
  [['checkout'], () => import('./views/checkout.js')],
  [['thanks', 'payment', 'paymentCancelled'], () => import('./views/payment.js')],
  [['account', 'accountOrder'], () => import('./views/account.js')],
  [['signIn', 'register', 'activate', 'forgot', 'reset'], () => import('./views/sign-in.js')],
  [
    ['mailbox', 'shipping', 'imprint', 'terms', 'withdrawal', 'privacy', 'missing'],
    () => import('./views/information.js'),
  ],
]

/** The view of a page; its module is loaded at the first visit. */
const View = ({ name }) => {
  const [state, setState] = useState({})
  useEffect(() => {
    let isLeft = false
    const [, load] = modules.find(([names]) => names.includes(name))
    load().then(
      ({ views }) => isLeft || setState({ name, Shown: views[name] }),
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

const languageKey = 'shop-language'

const initialLanguage = () => {
  const stored = localStorage.getItem(languageKey)
  if (stored === 'de' || stored === 'en') return stored
  return navigator.languages.find(one => /^(de|en)\b/.test(one))?.slice(0, 2) ?? 'en'
}

/** The language with its labels, and the session: all of it is loaded before a page is shown. */
const useShopData = () => {
  const [chosen, setChosen] = useState(initialLanguage)
  // Texts and labels change together: a page never mixes two languages.
  const [{ language, labels }, setShown] = useState({ language: chosen })
  const [session, setSession] = useState()
  const [failure, setFailure] = useState()
  // Not in an effect: the effects of the pages, which call the server, run first.
  setLanguage(language)

  const loadSession = () => get('session').then(setSession)
  const load = () => {
    let isLeft = false
    setFailure(undefined)
    const labelled = getPublic(`/localization/${chosen}`).then(
      labels => isLeft || setShown({ language: chosen, labels }),
    )
    Promise.all([labelled, session ?? loadSession()]).catch(error => isLeft || setFailure(error))
    return () => {
      isLeft = true
    }
  }
  useEffect(load, [chosen])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  return {
    ...{ language, labels, session, failure, load },
    chooseLanguage: chosen => {
      localStorage.setItem(languageKey, chosen)
      setChosen(chosen)
    },
    setBottles: bottles => setSession(before => ({ ...before, bottles })),
    reloadSession: () => {
      forgetAll()
      return loadSession()
    },
  }
}

const App = () => {
  const { failure, load, ...data } = useShopData()
  const { language, labels, session } = data
  const timeZone = session?.merchant.timeZone
  const navigation = useNavigation()
  const { path } = navigation.at
  const [news, setNews] = useState('')
  const route = useMemo(() => routeOf(path) ?? { name: 'missing', params: {} }, [path])
  const shop = {
    ...data,
    ...navigation,
    route,
    t: texts[language],
    format: useMemo(() => createFormats(language, timeZone), [language, timeZone]),
    // Cleared first, so that the same sentence is read out again.
    announce: sentence => {
      setNews('')
      requestAnimationFrame(() => setNews(sentence))
    },
  }
  const isReady = labels && session
  return html`<${Shop.Provider} value=${shop}>
    <${Layout}>
      ${failure && html`<${Failed} error=${failure} retry=${load} />`}
      ${!failure && !isReady && html`<${Loading} />`}
      ${!failure && isReady && html`<${View} key=${path} name=${route.name} />`}
    <//>
    <div class="visually-hidden" role="status" aria-live="polite">${news}</div>
  <//>`
}

const root = document.getElementById('app')
root.replaceChildren()
render(html`<${App} />`, root)
