import { useEffect, useRef, useState } from '/shop/vendor/preact.js'
import { routeOf } from './router.js'

const currentUrl = () => ({ path: location.pathname, search: location.search, hash: location.hash })

const isPlainClick = event =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** The page that a click leads to; undefined where the browser follows the link itself. */
const targetOf = event => {
  const link = event.target instanceof Element && event.target.closest('a[href]')
  if (!link || !isPlainClick(event) || link.target || link.origin !== location.origin) return undefined
  if (!routeOf(link.pathname) || link.hasAttribute('download')) return undefined
  const isAnchor = link.hash && link.pathname === location.pathname && link.search === location.search
  return isAnchor ? undefined : link.href
}

/** The address of the page, and `go`, which changes it. `wantsFocus` and `wantsScroll` are refs for `arrive`. */
export const useNavigation = () => {
  const [at, setAt] = useState(currentUrl)
  const wantsFocus = useRef(false)
  const wantsScroll = useRef()

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
    setAt(currentUrl())
  }

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const click = event => {
      const href = targetOf(event)
      if (!href) return
      event.preventDefault()
      go(href)
    }
    const back = () => {
      wantsFocus.current = true
      wantsScroll.current = history.state?.scroll ?? 0
      setAt(currentUrl())
    }
    document.addEventListener('click', click)
    addEventListener('popstate', back)
    return () => {
      document.removeEventListener('click', click)
      removeEventListener('popstate', back)
    }
  }, [])

  return { at, go, wantsFocus, wantsScroll }
}
