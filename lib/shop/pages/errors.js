// @ts-check

/** @typedef {typeof import('./texts/de.js').default} Texts */
/** @typedef {{ path: string, rule: string, expected?: string, item_type?: string, item_id?: number }} BadField */
/** @typedef {{ word?: string, status?: number, fields?: readonly BadField[] }} Failure */
/** @typedef {{ item_type: string, item_id: number, name: string }} Item */

/**
 * Returns a sentence for an error word.
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
 * Returns sentences about the items of a basket, by their names, else a sentence for the error word.
 * @param {Failure} failure
 * @param {readonly Item[]} items
 * @param {Texts} t
 */
export const itemsSentence = (failure, items, t) => {
  /** @type {Record<string, (name: string, left: number) => string>} */
  const sentences = t.errors.items
  const named = (failure.fields ?? []).flatMap(({ rule, expected, item_type, item_id }) => {
    const item = items.find(one => one.item_type === item_type && one.item_id === item_id)
    const sentence = item && Object.hasOwn(sentences, rule) && sentences[rule]
    // For the stock, `expected` is such as "at most 5".
    return sentence ? [sentence(item.name, Number(/\d+/.exec(expected ?? '')))] : []
  })
  return named.length > 0 ? named.join(' ') : sentenceOf(failure, t)
}

/**
 * Returns the errors of the fields that have not changed since.
 * @param {Record<string, string>} errors
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 */
export const stillWrong = (errors, before, after) =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => before[name] === after[name]))

/**
 * Returns sentences by field: by the last part of its path, such as `zip`; only those below `within`, if given.
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
