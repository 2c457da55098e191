import type { Language } from '../../../shared/contract/labels/labels.ts'
import type { behaviours, Choice } from '../../../shared/payments/sandbox/store.ts'
import type { SandboxPaymentItem } from '../../../shared/platform/table/items.ts'

export type PageError = 'illFormed' | 'unknown' | 'wrongMethod' | 'used'

type Texts = {
  hint: string
  title(amount: string, merchant: string): string
  amount: string
  merchant: string
  order: string
  payment: string
  event: string
  onceApproved: string
  /** The default comes first. */
  behaviours: Record<(typeof behaviours)[number], string>
  choices: Record<Choice, string>
  pending: string
  settled: Partial<Record<SandboxPaymentItem['state'], string>>
  errors: Record<PageError, readonly [title: string, says: string]>
}

/** The texts of the sandbox's pages, as HTML without user data. */
export const texts: Readonly<Record<Language, Texts>> = {
  de: {
    hint: 'Testumgebung auf diesem Rechner: Hier fließt kein echtes Geld.',
    title: (amount, merchant) => `${amount} an ${merchant} zahlen`,
    amount: 'Zu zahlen',
    merchant: 'Händler',
    order: 'Bestellung',
    payment: 'Zahlung',
    event: 'Der Dienst erfährt davon durch ein Ereignis (Webhook).',
    onceApproved: 'Nach der Zustimmung, wenn der Shop das Geld einzieht:',
    behaviours: {
      prompt: 'Der Zahlungsdienst zahlt sofort.',
      pending: 'Die Zahlung bleibt offen.',
      slow: 'Die Antwort braucht 8 Sekunden, länger als der Shop wartet.',
      lost: 'Das Geld wird eingezogen, aber die Antwort geht verloren.',
    },
    choices: {
      approve: 'Zustimmen',
      decline: 'Ablehnen',
      cancel: 'Abbrechen',
      settle: 'Das Geld eintreffen lassen',
      fail: 'Scheitern lassen',
    },
    pending: 'Dem Shop wurde gemeldet, dass diese Zahlung noch offen ist.',
    settled: {
      approved: 'Dieser Zahlung wurde zugestimmt. Der Shop hat das Geld noch nicht eingezogen.',
      captured: 'Diese Zahlung ist abgeschlossen.',
      declined: 'Diese Zahlung ist gescheitert.',
    },
    errors: {
      illFormed: ['Nichts gewählt', 'Das Formular kam unvollständig an. Öffnen Sie die Adresse noch einmal.'],
      unknown: ['Zahlung nicht gefunden', 'Die Adresse ist falsch, oder die Zahlung gehört zu einem anderen Rechner.'],
      wrongMethod: ['Nicht hier', 'Diese Adresse ist für Browser: GET und POST.'],
      used: ['Schon gewählt', 'Dieses Formular wurde schon abgeschickt. Öffnen Sie die Adresse noch einmal.'],
    },
  },
  en: {
    hint: 'Sandbox of this machine: no real money moves here.',
    title: (amount, merchant) => `Pay ${amount} to ${merchant}`,
    amount: 'Amount to pay',
    merchant: 'Merchant',
    order: 'Order',
    payment: 'Payment',
    event: 'The service is notified by an event (webhook).',
    onceApproved: 'Once approved, when the shop takes the money:',
    behaviours: {
      prompt: 'The provider pays at once.',
      pending: 'The payment stays pending.',
      slow: 'The answer takes 8 seconds, longer than the shop waits.',
      lost: 'The money is taken, but the answer is lost.',
    },
    choices: {
      approve: 'Approve',
      decline: 'Decline',
      cancel: 'Cancel',
      settle: 'Let the money arrive',
      fail: 'Let it fail',
    },
    pending: 'The shop was notified that this payment is pending.',
    settled: {
      approved: 'This payment is approved. The shop has not taken the money yet.',
      captured: 'This payment is complete.',
      declined: 'This payment has failed.',
    },
    errors: {
      illFormed: ['Nothing chosen', 'The form came back incomplete. Open the address again.'],
      unknown: ['No such payment', 'The address is wrong, or the payment belongs to another machine.'],
      wrongMethod: ['Not here', 'This address is for browsers: GET and POST.'],
      used: ['Already chosen', 'This form was used before. Open the address again to see its state.'],
    },
  },
}
