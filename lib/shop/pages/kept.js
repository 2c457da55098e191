// What the checkout keeps in this tab, so that who comes back from the payment service need not type it all again.

const name = 'shop-checkout'

/** The form of the checkout and its last attempt, as far as they are kept. */
export const readKept = () => {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? {}
  } catch {
    return {}
  }
}

/** Keeps parts of it. */
export const keep = parts => sessionStorage.setItem(name, JSON.stringify({ ...readKept(), ...parts }))

/** Forgets the attempt: the next order is another one, even if it is the same. */
export const forgetAttempt = () => keep({ attempt: undefined })

/** Forgets all of it: it is ordered. */
export const forgetKept = () => sessionStorage.removeItem(name)
