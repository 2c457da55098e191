// @ts-check

/** @typedef {typeof import('./texts/de.js').default} Texts */
/** @typedef {{ path: string, rule: string, expected?: string, item_type?: string, item_id?: number }} BadField */
/** @typedef {{ word?: string, status?: number, fields?: readonly BadField[] }} Failure */
/** @typedef {{ item_type: string, item_id: number, name: string }} Item */

/**
 * What a failure is called in the visitor's language.
 * @param {Failure} failure
 * @param {Texts} t
 */
export const sentenceOf = ({ word, status }, t) => {
  /** @type {Record<string, string>} */
  const words = t.errors.words
  if (word !== undefined && Object.hasOwn(words, word)) return words[word]
  return status === 0 ? t.errors.offline : t.errors.unknown
}

/**
 * What a failure says of items of the basket, each by its name; where it is about none of them, what it is called.
 * @param {Failure} failure
 * @param {readonly Item[]} items
 * @param {Texts} t
 */
export const itemsSentence = (failure, items, t) => {
  /** @type {Record<string, (name: string, left: number) => string>} */
  const says = t.errors.items
  const told = (failure.fields ?? []).flatMap(({ rule, expected, item_type, item_id }) => {
    const item = items.find(one => one.item_type === item_type && one.item_id === item_id)
    const say = item && Object.hasOwn(says, rule) && says[rule]
    // Of stock, the service expects "at most 5".
    return say ? [say(item.name, Number(/\d+/.exec(expected ?? '')))] : []
  })
  return told.length > 0 ? told.join(' ') : sentenceOf(failure, t)
}

/**
 * Of what was wrong with fields, what still may be: a field that was changed since is no longer marked.
 * @param {Record<string, string>} errors
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 */
export const stillWrong = (errors, before, after) =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => before[name] === after[name]))

/**
 * What is wrong with each field of a form, by the last part of its path, such as `zip`; below `within`, if that is given.
 * @param {Failure} failure
 * @param {Texts} t
 * @param {string} [within]
 * @returns {Record<string, string>}
 */
export const fieldSentences = ({ fields = [] }, t, within) => {
  /** @type {Record<string, string>} */
  const rules = t.errors.rules
  const own = fields.map(({ path, rule }) => ({ parts: path.split('.').filter(part => part !== 'data'), rule }))
  return Object.fromEntries(
    own
      .filter(({ parts }) => within === undefined || parts.at(-2) === within || parts.at(-1) === within)
      .map(({ parts, rule }) => [
        parts.at(-1) === within || rule === 'named' ? 'last_name' : (parts.at(-1) ?? ''),
        (Object.hasOwn(rules, rule) && rules[rule]) || t.errors.rules.other,
      ]),
  )
}
