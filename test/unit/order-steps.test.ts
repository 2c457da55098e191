import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paymentTypes, statuses } from '../../shared/contract/vocabulary.ts'
import { documentsOnEnter, events, moves, nextStep, statusOnAdd } from '../../shared/orders/states.ts'
import { isUpdating } from '../support/golden-file.ts'

// Two pictures of the table of steps: the diagram in the README of orders, and every event in every status in
// order-steps.txt. `UPDATE=1 npm test -- test/unit/order-steps` writes both.

const readme = join(import.meta.dirname, '../../shared/orders/README.md')
const matrixFile = join(import.meta.dirname, 'order-steps.txt')

const typeNames: Partial<Record<string, string>> = { paypal: 'PayPal' }

/** Arrows from a place, one for each target, with their labels. */
const arrowsFrom = (from: string, steps: readonly (readonly [label: string, to: string])[]): string[] =>
  [...Map.groupBy(steps, ([, to]) => to)].map(
    ([to, labels]) => `  ${from} --> ${to}: ${labels.map(([label]) => label).join(', ')}`,
  )

const diagram = (): string => {
  const begins = paymentTypes.map(type => [typeNames[type] ?? type, statusOnAdd(type)] as const)
  const changes = statuses.flatMap(from =>
    arrowsFrom(
      from,
      Object.entries(moves[from]).filter(([, to]) => to !== from),
    ),
  )
  const ends = statuses
    .filter(from => Object.values(moves[from]).every(to => to === from))
    .map(from => `  ${from} --> [*]`)
  return ['stateDiagram-v2', ...arrowsFrom('[*]', begins), ...changes, ...ends].join('\n')
}

const inFences = /(```mermaid\n)[\s\S]*?(\n```)/

test('the diagram of an order’s life is that of the table', () => {
  const text = readFileSync(readme, 'utf8')
  const now = text.replace(inFences, (_, open, close) => `${open}${diagram()}${close}`)
  if (isUpdating) writeFileSync(readme, now)
  else expect(text).toBe(now)
})

/** The outcome of an event: status, payment and documents after it. */
const outcome = (status: (typeof statuses)[number], event: (typeof events)[number], paid: boolean): string => {
  const step = nextStep(status, event, { paid })
  if ('refused' in step) return `!${step.refused}`
  if ('unchanged' in step) return 'unchanged'
  const isCredit = event.startsWith('credit')
  const kinds = isCredit ? ['creditAdvice'] : documentsOnEnter(status, step.to, { collected: false })
  const payment = step.paid === paid ? '' : step.paid ? ', paid' : ', not paid any more'
  return [`→ ${step.to}${payment}`, ...kinds].join(' + ')
}

test('every event in every status has the recorded outcome', () => {
  const blocks = statuses.flatMap(status =>
    [false, true].map(paid => {
      const byOutcome = Map.groupBy(events, event => outcome(status, event, paid))
      const lines = [...byOutcome].map(([text, all]) => `${all.join(', ')}: ${text}`)
      return [`# ${status}${paid ? ', paid' : ''}`, ...lines].join('\n')
    }),
  )
  const now = `${blocks.join('\n\n')}\n`
  if (isUpdating) writeFileSync(matrixFile, now)
  else expect(now).toBe(readFileSync(matrixFile, 'utf8'))
})
