/*
 * A term is a word with the separators before it, so that the concatenated terms of a text are the text. Separators are
 * the ASCII characters that are neither letters nor digits. A term begins wherever a separator follows a word, which
 * depends on two neighbouring characters only: a phrase has the same terms as the text around it, except its first and
 * last term, which may be parts of longer terms.
 */
const term = /[\0-/:-@[-`{-\x7f]*[^\0-/:-@[-`{-\x7f]+|[\0-/:-@[-`{-\x7f]+$/g

/** The terms of a folded text. */
export const termsOf = (text: string): string[] => text.match(term) ?? []
