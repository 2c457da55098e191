import { isGtin } from '../../contract/labels/labels.ts'
import { amount, date, vat } from './cii-parts.ts'
import { settlement } from './cii-settlement.ts'
import type { ContentLine, InvoiceContent } from './content.ts'
import type { Party } from './party.ts'
import { profileOf } from './profile.ts'
import { vatNumber } from './tax.ts'
import { detailsOf } from './terms.ts'
import { type XmlElement, xmlText } from './xml.ts'

// The order of elements is that of the schema (Factur-X 1.09, profile EN 16931); comments name terms of EN 16931.

const postal = (party: Pick<Party, 'zip' | 'address' | 'supplement' | 'city' | 'countrycode'>): XmlElement => [
  'ram:PostalTradeAddress',
  [
    ['ram:PostcodeCode', party.zip],
    ['ram:LineOne', party.address],
    ['ram:LineTwo', party.supplement],
    ['ram:CityName', party.city],
    ['ram:CountryID', party.countrycode.toUpperCase()],
  ],
]

const electronicAddress = (address: string | null, scheme: string): XmlElement => [
  'ram:URIUniversalCommunication',
  address === null ? null : [['ram:URIID', address, { schemeID: scheme }]],
]

const registration = (id: string | null, scheme: 'VA' | 'FC'): XmlElement => [
  'ram:SpecifiedTaxRegistration',
  [['ram:ID', id, { schemeID: scheme }]],
]

const sellerParty = ({ seller, order }: InvoiceContent): XmlElement => {
  const name = seller.company ?? seller.name
  const vatid = vatNumber(seller.vatid)
  return [
    'ram:SellerTradeParty',
    [
      // Without a VAT number the seller needs another identifier (BR-CO-26).
      ['ram:ID', vatid ? null : String(order.merchant)],
      ['ram:Name', name],
      ['ram:Description', seller.legal_note],
      ['ram:SpecifiedLegalOrganization', [['ram:ID', seller.register_number]]],
      [
        'ram:DefinedTradeContact',
        [
          ['ram:PersonName', seller.contact_person],
          ['ram:TelephoneUniversalCommunication', [['ram:CompleteNumber', seller.phone]]],
          ['ram:EmailURIUniversalCommunication', [['ram:URIID', seller.mail]]],
        ],
      ],
      postal({ ...seller, supplement: null, countrycode: seller.countrycode ?? 'de' }),
      electronicAddress(seller.mail, 'EM'),
      registration(seller.taxid ?? (vatid ? null : seller.vatid), 'FC'),
      registration(vatid, 'VA'),
    ],
  ]
}

const buyerParty = ({ buyer, order }: InvoiceContent): XmlElement => [
  'ram:BuyerTradeParty',
  [
    ['ram:ID', order.customer],
    ['ram:Name', buyer.name],
    // Person and department are one term (BT-56), which may be written once.
    ['ram:DefinedTradeContact', [['ram:PersonName', [buyer.person, buyer.department].filter(Boolean).join(', ')]]],
    postal(buyer),
    // An XRechnung requires an electronic address; public buyers are addressed by their reference (Leitweg-ID, scheme 0204).
    buyer.mail === null ? electronicAddress(buyer.reference, '0204') : electronicAddress(buyer.mail, 'EM'),
    registration(buyer.vatid, 'VA'),
  ],
]

/** The price of a line: of a piece where that is exact, else of the line, for all its pieces (BT-146, BT-149). */
const priceOf = ({ net, quantity }: ContentLine, { mode }: InvoiceContent): XmlElement[] => {
  const isExact = mode === 'net' && net % quantity === 0
  return [
    amount('ChargeAmount', isExact ? net / quantity : net),
    ['ram:BasisQuantity', isExact ? '1' : String(quantity), { unitCode: 'C62' }],
  ]
}

const lineItem = (line: ContentLine, n: number, content: InvoiceContent): XmlElement => [
  'ram:IncludedSupplyChainTradeLineItem',
  [
    ['ram:AssociatedDocumentLineDocument', [['ram:LineID', String(n + 1)]]],
    [
      'ram:SpecifiedTradeProduct',
      [
        ['ram:GlobalID', line.gtin && isGtin(line.gtin) ? line.gtin : null, { schemeID: '0160' }],
        ['ram:SellerAssignedID', line.articlenumber],
        ['ram:Name', line.name],
        ['ram:Description', detailsOf(line, content.language)],
      ],
    ],
    ['ram:SpecifiedLineTradeAgreement', [['ram:NetPriceProductTradePrice', priceOf(line, content)]]],
    ['ram:SpecifiedLineTradeDelivery', [['ram:BilledQuantity', String(line.quantity), { unitCode: 'C62' }]]],
    [
      'ram:SpecifiedLineTradeSettlement',
      [
        vat('ApplicableTradeTax', line.taxrate, content),
        ['ram:SpecifiedTradeSettlementLineMonetarySummation', [amount('LineTotalAmount', line.net)]],
      ],
    ],
  ],
]

const deliveryPart = (content: InvoiceContent): XmlElement => {
  const { delivery, delivered, deliveryNote } = content
  return [
    'ram:ApplicableHeaderTradeDelivery',
    [
      delivery && ['ram:ShipToTradeParty', [['ram:Name', delivery.name], postal(delivery)]],
      ['ram:ActualDeliverySupplyChainEvent', delivered && [date('ram:OccurrenceDateTime', delivered)]],
      ['ram:DespatchAdviceReferencedDocument', [['ram:IssuerAssignedID', deliveryNote]]],
    ],
  ]
}

/**
 * An invoice (type 380) or a credit advice (381) as Cross Industry Invoice of EN 16931; an XRechnung where the buyer has a
 * reference. Its amounts are the document's, which must lack nothing (`incomplete.ts`).
 */
export const invoiceXml = (content: InvoiceContent): string => {
  const { kind, buyer, order } = content
  return xmlText([
    'rsm:CrossIndustryInvoice',
    [
      [
        'rsm:ExchangedDocumentContext',
        [
          [
            'ram:BusinessProcessSpecifiedDocumentContextParameter',
            [['ram:ID', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0']],
          ],
          ['ram:GuidelineSpecifiedDocumentContextParameter', [['ram:ID', profileOf(content).id]]],
        ],
      ],
      [
        'rsm:ExchangedDocument',
        [
          ['ram:ID', content.number],
          ['ram:TypeCode', kind === 'invoice' ? '380' : '381'],
          date('ram:IssueDateTime', content.day),
          ['ram:IncludedNote', [['ram:Content', content.remark]]],
        ],
      ],
      [
        'rsm:SupplyChainTradeTransaction',
        [
          ...content.lines.map((line, n) => lineItem(line, n, content)),
          [
            'ram:ApplicableHeaderTradeAgreement',
            [
              ['ram:BuyerReference', buyer.reference],
              sellerParty(content),
              buyerParty(content),
              ['ram:SellerOrderReferencedDocument', [['ram:IssuerAssignedID', order.number]]],
            ],
          ],
          deliveryPart(content),
          settlement(content),
        ],
      ],
    ],
    {
      'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
      'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
      'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
    },
  ])
}
