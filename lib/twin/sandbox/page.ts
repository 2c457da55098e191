import { createHash } from 'node:crypto'
import type { Language } from '../../../shared/contract/labels/labels.ts'
import { isPayable } from '../../../shared/payments/sandbox/store.ts'
import type { SandboxPaymentItem } from '../../../shared/platform/table/items.ts'
import { escapeMarkup } from '../../../shared/values/markup.ts'
import { type PageError, texts } from './texts.ts'

/** An HTML page with the headers it needs. */
export type Html = { statusCode: number; headers: Record<string, string>; body: string }

const style = `
:root { color-scheme: light dark; --paper: #f6f3ee; --card: #fff; --ink: #24201c; --soft: #6d645b; --line: #ded6cc;
  --wine: #7a1f3d; --on-wine: #fff; --hint: #fbf3d6; --on-hint: #5f4a05 }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1816; --card: #262220; --ink: #f1ece6; --soft: #b3a89d;
  --line: #453e39; --wine: #d77a98; --on-wine: #24101a; --hint: #3a3215; --on-hint: #f3e3a6 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 2rem 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; display: grid; place-items: center }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  overflow: hidden; box-shadow: 0 1rem 3rem rgb(0 0 0 / 8%) }
.hint { margin: 0; padding: .6rem 1.75rem; background: var(--hint); color: var(--on-hint); font-size: .875rem }
.inner { padding: 1.5rem 1.75rem 1.75rem }
h1 { margin: 0; font-size: 1rem; font-weight: 500; color: var(--soft) }
h1 strong { display: block; font-size: 2.25rem; line-height: 1.2; color: var(--ink);
  font-variant-numeric: tabular-nums }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem; margin: 1.25rem 0; padding: 1rem 0;
  border: solid var(--line); border-width: 1px 0 }
dt { color: var(--soft) }
dd { margin: 0; text-align: right; overflow-wrap: anywhere }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .4rem; font-weight: 600 }
label { display: flex; gap: .6rem; align-items: baseline; padding: .3rem 0; cursor: pointer }
label.event { margin-top: 1rem; color: var(--soft); font-size: .875rem }
input { accent-color: var(--wine) }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
button { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: transparent;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button:hover { border-color: var(--wine) }
button.first { grid-column: 1 / -1; background: var(--wine); border-color: var(--wine); color: var(--on-wine) }
button:nth-child(2):last-child { grid-column: 1 / -1 }
button.first:hover { filter: brightness(1.1) }
:focus-visible { outline: 3px solid var(--wine); outline-offset: 2px }
p.says { margin: 0 0 1.25rem }
p.says:last-child { margin: 0 }
`

const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** A URL's origin for the policy, or '' if it could end a directive. */
const sourceOf = (url: string): string => /^https?:\/\/[a-z0-9.-]+(:\d+)?(?=[/?]|$)/.exec(url)?.[0] ?? ''

// Browsers check the redirect after a form against form-action, too.
const policy = (targets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ["form-action 'self'", ...new Set(targets.map(sourceOf).filter(Boolean))].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** `inner` is HTML; `targets` are the addresses to which its form may redirect. */
const page = (
  statusCode: number,
  language: Language,
  title: string,
  inner: string,
  targets: readonly string[] = [],
): Html => ({
  statusCode,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(targets),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'accept-language',
  },
  body: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="hint">${texts[language].hint}</p>
<div class="inner">
${inner}
</div>
</main>
</body>
</html>
`,
})

/** An amount as a language writes it: `30,80 €` or `€30.80`. */
const amountOf = ({ amount, currency }: SandboxPaymentItem, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount / 100)

const facts = (payment: SandboxPaymentItem, language: Language): string => {
  const { amount, merchant, order, payment: name } = texts[language]
  return `<h1>${amount}
<strong>${escapeMarkup(amountOf(payment, language))}</strong></h1>
<dl>
<dt>${merchant}</dt><dd>${escapeMarkup(payment.merchantName)}</dd>
<dt>${order}</dt><dd>${escapeMarkup(payment.orderNumber)}</dd>
<dt>${name}</dt><dd>${escapeMarkup(payment.id)}</dd>
</dl>`
}

const button = (choice: string, says: string, first = false): string =>
  `<button name="choice" value="${choice}"${first ? ' class="first"' : ''}>${says}</button>`

// An unchecked box is not sent, so a form without the field causes no event.
const form = ({ nonce }: SandboxPaymentItem, language: Language, inner: string): string => `<form method="post">
<input type="hidden" name="nonce" value="${escapeMarkup(nonce)}">
${inner}
<label class="event"><input type="checkbox" name="event" value="sent" checked>${texts[language].event}</label>
</form>`

const approvalForm = (language: Language): string => {
  const { onceApproved, behaviours, choices } = texts[language]
  const radios = Object.entries(behaviours).map(
    ([value, says], n) =>
      `<label><input type="radio" name="behaviour" value="${value}"${n === 0 ? ' checked' : ''}>${says}</label>`,
  )
  return `<fieldset>
<legend>${onceApproved}</legend>
${radios.join('\n')}
</fieldset>
<div class="buttons">
${button('approve', choices.approve, true)}
${button('decline', choices.decline)}
${button('cancel', choices.cancel)}
</div>`
}

const settlementForm = (language: Language): string => {
  const { pending, choices } = texts[language]
  return `<p class="says">${pending}</p>
<div class="buttons">
${button('settle', choices.settle, true)}
${button('fail', choices.fail)}
</div>`
}

/** The approve page of a payment: its choices, or its state if there are none. */
export const approvePage = (payment: SandboxPaymentItem, language: Language): Html => {
  const { title, settled } = texts[language]
  const paymentPage = (inner: string, targets?: readonly string[]) =>
    page(
      200,
      language,
      title(amountOf(payment, language), payment.merchantName),
      `${facts(payment, language)}\n${inner}`,
      targets,
    )
  const targets = [payment.returnUrl, payment.cancelUrl]
  if (isPayable(payment)) return paymentPage(form(payment, language, approvalForm(language)), targets)
  if (payment.state === 'pending') return paymentPage(form(payment, language, settlementForm(language)), targets)
  return paymentPage(`<p class="says">${settled[payment.state] ?? ''}</p>`)
}

const statusOf: Readonly<Record<PageError, number>> = { illFormed: 400, unknown: 404, wrongMethod: 405, used: 409 }

/** An error page. */
export const plainPage = (error: PageError, language: Language): Html => {
  const [title, says] = texts[language].errors[error]
  const inner = `<h1><strong>${escapeMarkup(title)}</strong></h1>\n<p class="says">${escapeMarkup(says)}</p>`
  return page(statusOf[error], language, title, inner)
}
