import { type Command, Option } from 'commander'
import { type CheckedPage, checkWines } from '../../../shared/catalogue/wines/check.ts'
import { type Language, languages } from '../../../shared/contract/labels/labels.ts'
import { incompleteOf } from '../../../shared/merchants/incomplete.ts'
import type { Merchant } from '../../../shared/platform/table/items.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

const linesOf = ({ data }: CheckedPage): string[] =>
  data.flatMap(({ articlenumber, id, name, vintage, missing }) =>
    missing.length === 0
      ? []
      : [
          [articlenumber ?? id, name, vintage].filter(Boolean).join(' '),
          ...missing.map(({ word, text }) => `  ${word}: ${text}`),
        ],
  )

const countsOf = (words: readonly string[]): string =>
  [...Map.groupBy(words, word => word)].map(([word, all]) => `${word} ${all.length}`).join(', ')

/** Prints what the documents of a merchant lack, and returns what all its invoices lack. */
const checkDocuments = (merchant: Merchant): string[] => {
  const { invoices, xrechnungen } = incompleteOf(merchant)
  if (invoices.length > 0) say(`invoices lack of the merchant: ${invoices.join(', ')}`)
  if (xrechnungen.length > 0) say(`invoices of public buyers lack of the merchant: ${xrechnungen.join(', ')}`)
  return invoices
}

const check = async (merchant: string, { language }: { language: Language }): Promise<void> => {
  const found = await findMerchant(merchant)
  const { id } = found
  const unset = checkDocuments(found)
  const words: string[] = []
  let incomplete = 0
  let total = 0
  for (let start: number | undefined = 0; start !== undefined; ) {
    const page: CheckedPage = await checkWines(id, { page: 1, pageSize: 100, start }, language)
    const lines = linesOf(page)
    if (lines.length > 0) say(...lines)
    words.push(...page.data.flatMap(({ missing }) => missing.map(({ word }) => word)))
    incomplete += page.incomplete
    total = page.totalCount
    start = page.pages.next?.start
  }
  if (incomplete > 0) throw new Refused(`${incomplete} of ${total} wines for sale lack something: ${countsOf(words)}`)
  say(`${total} wines for sale lack nothing`)
  if (unset.length > 0) throw new Refused(`invoices lack of the merchant: ${unset.join(', ')}`)
}

/** Adds the command that checks wines by the law. */
export const addLawCommands = (program: Command): void => {
  program
    .command('check')
    .argument('<merchant>', 'id, name or AuthID')
    .addOption(new Option('--language <language>', 'language of the sentences').choices(languages).default('en'))
    .description(
      'lists what invoices lack of the merchant, and the wines that are for sale, each with the particulars that it lacks by law; exits with 1 if anything is missing',
    )
    .action(check)
}
