/*
 * A term is a word with the separators before it, so that the terms of a text put together are the text. Separators are
 * the signs of ASCII but for letters and digits. A new term begins wherever a separator follows a word: that is seen
 * from two neighbouring characters, so that a phrase falls into the same terms as the text around it, but for its first
 * and last one, which may be parts of longer ones.
 */
const term = /[\0-/:-@[-`{-\x7f]*[^\0-/:-@[-`{-\x7f]+|[\0-/:-@[-`{-\x7f]+$/g

/** The terms of a folded text. */
export const termsOf = (text: string): string[] => text.match(term) ?? []
