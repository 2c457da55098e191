import type { Merchant } from '../client/index.ts'
import type { Mail } from './mailbox.ts'
import { createFormats } from './pages/formats.js'
import type { shownOrder } from './records.ts'
import type { Language } from './visit.ts'

const words = {
  de: {
    activation: {
      subject: 'Bitte bestätigen Sie Ihre Anmeldung',
      text: 'willkommen im Weinkontor Elbufer. Bitte bestätigen Sie diese Adresse, danach können Sie sich anmelden. Der Link gilt 24 Stunden und nur einmal.',
    },
    password: {
      subject: 'Ein neues Passwort',
      text: 'jemand, wahrscheinlich Sie, hat für dieses Konto ein neues Passwort angefordert. Der Link gilt 24 Stunden und nur einmal. Wenn Sie es nicht waren, brauchen Sie nichts zu tun.',
    },
    greeting: 'Guten Tag,',
    order: (number: string) => `Ihre Bestellung ${number}`,
    thanks: 'vielen Dank für Ihre Bestellung:',
    shipping: 'Versand',
    total: 'Summe, inkl. MwSt.',
    due: (gross: string, iban: string, number: string) =>
      `Bitte überweisen Sie ${gross} auf das Konto ${iban}, Verwendungszweck ${number}.`,
  },
  en: {
    activation: {
      subject: 'Please confirm your registration',
      text: 'welcome to Weinkontor Elbufer. Please confirm this address; after that you can sign in. The link is valid for 24 hours and works once.',
    },
    password: {
      subject: 'A new password',
      text: 'someone, probably you, requested a new password for this account. The link is valid for 24 hours and works once. If it was not you, there is nothing you need to do.',
    },
    greeting: 'Hello,',
    order: (number: string) => `Your order ${number}`,
    thanks: 'thank you for your order:',
    shipping: 'Delivery',
    total: 'Total, incl. VAT',
    due: (gross: string, iban: string, number: string) =>
      `Please transfer ${gross} to the account ${iban}, reference ${number}.`,
  },
} as const

/** The mail with a link that activates an account, or sets a new password. */
export const linkMail = (kind: 'activation' | 'password', to: string, link: string, language: Language): Mail => {
  const { greeting, [kind]: mail } = words[language]
  return { about: link, to, subject: mail.subject, text: `${greeting}\n\n${mail.text}`, link }
}

/** The confirmation of an order. */
export const orderMail = (
  order: ReturnType<typeof shownOrder>,
  { settings: { bank } }: Pick<Merchant, 'settings'>,
  language: Language,
): Mail => {
  const { greeting, order: subject, thanks, shipping, total, due } = words[language]
  const { money } = createFormats(language)
  const lines = [
    ...order.positions.map(({ quantity, name, gross }) => `${quantity} × ${name}: ${money(gross)}`),
    ...(order.package ? [`${shipping}: ${money(order.package.gross)}`] : []),
    `${total}: ${money(order.gross)}`,
  ]
  const transfer = order.payment_type === 'prepaid' && bank.iban && due(money(order.gross), bank.iban, order.number)
  return {
    about: `order ${order.uuid}`,
    to: String(order.billing?.mail ?? ''),
    subject: subject(order.number),
    text: [greeting, thanks, lines.join('\n'), ...(transfer ? [transfer] : [])].join('\n\n'),
  }
}
