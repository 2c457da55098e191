import type { Merchant } from '../client/index.ts'
import type { Mail } from './mailbox.ts'
import { formatted } from './pages/formats.js'
import type { shownOrder } from './records.ts'
import type { Language } from './visit.ts'

const words = {
  de: {
    activation: {
      subject: 'Bitte bestätigen Sie Ihre Anmeldung',
      text: 'willkommen im Weinkontor Elbufer. Ihr Konto gilt, sobald Sie diese Adresse bestätigt haben. Der Link gilt 24 Stunden und nur einmal.',
    },
    password: {
      subject: 'Ein neues Passwort',
      text: 'jemand, wahrscheinlich Sie, hat für dieses Konto um ein neues Passwort gebeten. Der Link gilt 24 Stunden und nur einmal. Wenn Sie es nicht waren, tun Sie bitte nichts.',
    },
    greeting: 'Guten Tag,',
    order: (number: string) => `Ihre Bestellung ${number}`,
    thanks: 'vielen Dank für Ihre Bestellung. Wir haben notiert:',
    freight: 'Versand',
    total: 'Summe, inkl. MwSt.',
    due: (gross: string, iban: string, number: string) =>
      `Bitte überweisen Sie ${gross} auf das Konto ${iban}, Verwendungszweck ${number}.`,
  },
  en: {
    activation: {
      subject: 'Please confirm your registration',
      text: 'welcome to Weinkontor Elbufer. Your account is ready as soon as you have confirmed this address. The link works for 24 hours, and once.',
    },
    password: {
      subject: 'A new password',
      text: 'somebody, probably you, asked for a new password for this account. The link works for 24 hours, and once. If it was not you, please do nothing.',
    },
    greeting: 'Hello,',
    order: (number: string) => `Your order ${number}`,
    thanks: 'thank you for your order. This is what we noted:',
    freight: 'Delivery',
    total: 'Total, incl. VAT',
    due: (gross: string, iban: string, number: string) =>
      `Please transfer ${gross} to the account ${iban}, reference ${number}.`,
  },
} as const

const linked = (kind: 'activation' | 'password', to: string, link: string, language: Language): Mail => {
  const { greeting, [kind]: mail } = words[language]
  return { about: link, to, subject: mail.subject, text: `${greeting}\n\n${mail.text}`, link }
}

/** The mail with the link that proves a new client's address. */
export const activationMail = (to: string, link: string, language: Language): Mail =>
  linked('activation', to, link, language)

/** The mail with the link to a new password. */
export const passwordMail = (to: string, link: string, language: Language): Mail =>
  linked('password', to, link, language)

/** The mail that confirms an order. */
export const orderMail = (
  order: ReturnType<typeof shownOrder>,
  { settings }: Pick<Merchant, 'settings'>,
  language: Language,
): Mail => {
  const { greeting, order: subject, thanks, freight, total, due } = words[language]
  const { money } = formatted(language)
  const lines = [
    ...order.positions.map(({ quantity, name, gross }) => `${quantity} × ${name}: ${money(gross)}`),
    ...(order.package ? [`${freight}: ${money(order.package.gross)}`] : []),
    `${total}: ${money(order.gross)}`,
  ]
  const isDue = order.payment_type === 'prepaid' && settings.bank.iban
  return {
    about: `order ${order.uuid}`,
    to: String(order.billing?.mail ?? ''),
    subject: subject(order.number),
    text: [
      `${greeting}\n\n${thanks}`,
      lines.join('\n'),
      ...(isDue ? [due(money(order.gross), settings.bank.iban ?? '', order.number)] : []),
    ].join('\n\n'),
  }
}
