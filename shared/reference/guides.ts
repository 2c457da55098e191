import { readFileSync } from 'node:fs'

/** A guide of the reference: its title, and its text in Markdown without the title. */
export type Guide = { title: string; text: string }

/** The files of the guides, without their ending, in reading order. */
export const guideFiles = [
  'first-order',
  'signing-in',
  'showing-wines',
  'selling-wine-in-the-eu',
  'baskets-and-orders',
  'payments',
  'merchants-day',
  'invoices',
  'client-accounts',
  'pdfs-and-pictures',
  'retries',
  'limits',
  'errors',
  'moving',
  'changelog',
] as const

// Relative to the module, so that a bundle finds its guides in the folder `guides` beside itself.
const read = (file: string): string => readFileSync(new URL(`./guides/${file}.md`, import.meta.url), 'utf8')

const guideIn = (file: string): Guide => {
  const [, title, text] = /^# ([^\n]+)\n+(.*)$/s.exec(read(file)) ?? []
  if (!title || !text) throw new Error(`the guide ${file} has no title`)
  return { title, text }
}

/** All guides, in reading order. */
export const guides: readonly Guide[] = guideFiles.map(guideIn)
