import { XmlDocument, type XmlElement } from 'libxml2-wasm'

const namespaces = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}

/** An amount in cents. Throws for one with more than two decimals (BR-DEC-*). */
const centsOf = (text: string): number => {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text)
  if (!found) throw new Error(`${text} is no amount with two decimals`)
  const [, sign, whole = '', part = ''] = found
  return Number(`${sign}${whole}${part.padEnd(2, '0')}`)
}

/** An element of a CII invoice. */
export class Reader {
  readonly #element: XmlElement

  constructor(element: XmlElement) {
    this.#element = element
  }

  text(path: string): string | null {
    return this.#element.get(path, namespaces)?.content ?? null
  }

  cents(path: string): number {
    const text = this.text(path)
    return text === null ? 0 : centsOf(text)
  }

  all(path: string): Reader[] {
    return this.#element.find(path, namespaces).map(found => new Reader(found as XmlElement))
  }
}

/** A rule: its id, and if an invoice keeps it. */
export type Rule = readonly [id: string, holds: (invoice: Reader) => boolean]

export const settlement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement'
export const agreement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement'
export const delivery = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery'
export const sums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`

/** True if there is a text at a path. */
export const given = (path: string) => (invoice: Reader) => (invoice.text(path)?.trim() ?? '') !== ''

/** Calls a function on an invoice. */
export const reading = <T>(xml: string, read: (invoice: Reader) => T): T => {
  using document = XmlDocument.fromString(xml)
  return read(new Reader(document.root))
}
