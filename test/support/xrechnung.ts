import { agreement, delivery, given, type Reader, type Rule, settlement } from './cii-reader.ts'

// Rules of XRechnung 3.0 (BR-DE-*) and those of Peppol that it adopts.

/** True if an invoice declares to be an XRechnung. */
export const isXRechnung = (invoice: Reader): boolean =>
  invoice
    .text('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID')
    ?.endsWith('#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0') ?? false

const seller = `${agreement}/ram:SellerTradeParty`
const buyer = `${agreement}/ram:BuyerTradeParty`
const contact = `${seller}/ram:DefinedTradeContact`
const skonto = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}#$/

/** The rules of XRechnung besides those of EN 16931. */
export const germanRules: readonly Rule[] = [
  ['BR-DE-1', given(`${settlement}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode`)],
  ['BR-DE-3', given(`${seller}/ram:PostalTradeAddress/ram:CityName`)],
  ['BR-DE-4', given(`${seller}/ram:PostalTradeAddress/ram:PostcodeCode`)],
  ['BR-DE-5', given(`${contact}/ram:PersonName`)],
  ['BR-DE-6', given(`${contact}/ram:TelephoneUniversalCommunication/ram:CompleteNumber`)],
  ['BR-DE-7', given(`${contact}/ram:EmailURIUniversalCommunication/ram:URIID`)],
  ['BR-DE-8', given(`${buyer}/ram:PostalTradeAddress/ram:CityName`)],
  ['BR-DE-9', given(`${buyer}/ram:PostalTradeAddress/ram:PostcodeCode`)],
  [
    'BR-DE-10',
    invoice => invoice.all(`${delivery}/ram:ShipToTradeParty`).every(given('ram:PostalTradeAddress/ram:CityName')),
  ],
  ['BR-DE-15', given(`${agreement}/ram:BuyerReference`)],
  [
    'BR-DE-18',
    invoice => {
      const terms = invoice.text(`${settlement}/ram:SpecifiedTradePaymentTerms/ram:Description`) ?? ''
      return terms
        .split('\n')
        .every((line, n, all) => !line.startsWith('#') || (skonto.test(line) && n < all.length - 1))
    },
  ],
  [
    'BR-DE-24',
    invoice => invoice.all(`${settlement}/ram:SpecifiedTradeSettlementPaymentMeans[ram:TypeCode='48']`).length === 0,
  ],
  [
    'BR-DE-30',
    invoice =>
      invoice
        .all(`${settlement}/ram:SpecifiedTradeSettlementPaymentMeans[ram:TypeCode='59']`)
        .every(
          means =>
            given('ram:PayerPartyDebtorFinancialAccount/ram:IBANID')(means) &&
            given(`${settlement}/ram:CreditorReferenceID`)(invoice) &&
            given(`${settlement}/ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID`)(invoice),
        ),
  ],
  ['R001', given('rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID')],
  ['R010', given(`${buyer}/ram:URIUniversalCommunication/ram:URIID/@schemeID`)],
  ['R020', given(`${seller}/ram:URIUniversalCommunication/ram:URIID/@schemeID`)],
]
