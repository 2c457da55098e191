import { createContext, useContext, useEffect, useRef, useState } from '/shop/vendor/preact.js'

/** What every part of a page may need: `{ t, format, labels, session, place, go, announce, … }`, as app.js makes it. */
export const Shop = createContext(null)

export const useShop = () => useContext(Shop)

// What was shown before is shown at once when the visitor comes back to it, and read anew beside.
const remembered = new Map()

/** Forgets what was shown: prices change when a client signs in or out. */
export const forgetAll = () => remembered.clear()

/**
 * Loads something when `key` changes; the former load is given up. `{ data, error, isLoading, reload }`: while the next
 * data is on its way, the former stay.
 */
export const useLoad = (key, load) => {
  const [state, setState] = useState({ data: remembered.get(key), error: undefined, isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const stop = new AbortController()
    const known = remembered.get(key)
    setState(({ data }) => ({ data: known ?? data, error: undefined, isLoading: true }))
    latest
      .current(stop.signal)
      .then(data => {
        remembered.set(key, data)
        if (remembered.size > 30) remembered.delete(remembered.keys().next().value)
        if (!stop.signal.aborted) setState({ data, error: undefined, isLoading: false })
      })
      .catch(error => {
        if (!stop.signal.aborted) setState({ data: undefined, error, isLoading: false })
      })
    return () => stop.abort()
  }, [key, round])
  return { ...state, reload: () => setRound(n => n + 1), set: data => setState({ data, isLoading: false }) }
}

/**
 * Ends a change of the page once what it leads to is shown: the heading takes the focus, so that it is read out, and who
 * went back finds the place again. Does nothing where the page was not changed.
 */
export const arrive = ({ wantsFocus, wantsScroll }, heading) => {
  if (!wantsFocus.current) return
  wantsFocus.current = false
  heading?.focus({ preventScroll: true })
  if (wantsScroll.current !== undefined) scrollTo(0, wantsScroll.current)
  wantsScroll.current = undefined
}

/** Sets the title of the document to that of the page. */
export const useTitle = title => {
  const { t } = useShop()
  useEffect(() => {
    document.title = title ? t.pageTitle(title) : t.name
  }, [title, t])
}
