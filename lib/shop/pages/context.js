import { createContext, useContext, useEffect, useRef, useState } from '/shop/vendor/preact.js'

/** The context of all components, as app.js makes it. */
export const Shop = createContext(null)

export const useShop = () => useContext(Shop)

// A page that is visited again first shows its former data, and reloads it.
const cache = new Map()
const maxCached = 30

/** Clears the cache: prices change when a client signs in or out. */
export const forgetAll = () => cache.clear()

/** Loads data when `key` changes: `{ data, error, isLoading, reload, set }`. The former data stays until the next has come. */
export const useLoad = (key, load) => {
  const [state, setState] = useState({ data: cache.get(key), error: undefined, isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const stop = new AbortController()
    setState(({ data }) => ({ data: cache.get(key) ?? data, error: undefined, isLoading: true }))
    latest
      .current(stop.signal)
      .then(data => {
        cache.set(key, data)
        if (cache.size > maxCached) cache.delete(cache.keys().next().value)
        if (!stop.signal.aborted) setState({ data, error: undefined, isLoading: false })
      })
      .catch(error => {
        if (!stop.signal.aborted) setState({ data: undefined, error, isLoading: false })
      })
    return () => stop.abort()
  }, [key, round])
  return { ...state, reload: () => setRound(n => n + 1), set: data => setState({ data, isLoading: false }) }
}

/** Completes a navigation: focuses the heading, so that it is read out, and restores the scroll position after "back". */
export const arrive = ({ wantsFocus, wantsScroll }, heading) => {
  if (!wantsFocus.current) return
  wantsFocus.current = false
  heading?.focus({ preventScroll: true })
  if (wantsScroll.current !== undefined) scrollTo(0, wantsScroll.current)
  wantsScroll.current = undefined
}

/** Sets the title of the document. */
export const useTitle = title => {
  const { t } = useShop()
  useEffect(() => {
    document.title = title ? t.pageTitle(title) : t.name
  }, [title, t])
}
