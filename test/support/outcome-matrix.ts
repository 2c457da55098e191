/** One case: a request while a payment is in a state, the answers of its provider, and the outcome. */
export type OutcomeCase = { request: string; state: string; answers: string; outcome: string }

/** The answers of a provider that was not asked. */
export const notAsked = 'not asked'

const maxWidth = 150

/** Values by a key, in the order in which the keys come first. */
const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): [string, T[]][] => [
  ...Map.groupBy(all, keyOf).entries(),
]

const payers = ['approved', 'approved(payer)', 'approved(no payer)']

/** `approved*` in place of approvals by any payer that are followed by the same answer. */
const joinedPayers = (all: readonly string[]): string[] =>
  all.flatMap(one => {
    const [first = '', next = ''] = one.split(/(?= > )/)
    if (!payers.includes(first) || !payers.every(payer => all.includes(`${payer}${next}`))) return one
    return first === 'approved' ? `approved*${next}` : []
  })

const separatedPayers = (one: string): string[] =>
  one.startsWith('approved*') ? payers.map(payer => one.replace('approved*', payer)) : [one]

/** Words, separated by ` | `, in lines that are not too long; all but the first are indented. */
const wrapped = (words: readonly string[], last: string): string[] => {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) as string
    const longer = line.trim() ? `${line} | ${word}` : `${line}${word}`
    if (longer.length <= maxWidth || !line.trim()) lines[lines.length - 1] = longer
    else {
      lines[lines.length - 1] = `${line} |`
      lines.push(`  ${word}`)
    }
  }
  const joined = `${lines.at(-1)} ⇒ ${last}`
  return joined.length <= maxWidth ? [...lines.slice(0, -1), joined] : [...lines, `  ⇒ ${last}`]
}

const isAlone = (cases: readonly OutcomeCase[]): boolean => cases.length === 1 && cases[0]?.answers === notAsked

/** A table of the requests that ask no provider, with a column for each; `…` where the provider is asked. */
const tableOf = (byState: readonly [string, OutcomeCase[]][], requests: readonly string[]): string[] => {
  const footnotes: string[] = []
  const cellOf = (state: OutcomeCase[], request: string): string => {
    const cases = state.filter(one => one.request === request)
    if (!isAlone(cases)) return cases.length > 0 ? '…' : ''
    const outcome = (cases[0] as OutcomeCase).outcome
    if (outcome.length <= 14) return outcome
    if (!footnotes.includes(outcome)) footnotes.push(outcome)
    return `(${footnotes.indexOf(outcome) + 1})`
  }
  const rows = byState
    .map(([name, state]) => [name, ...requests.map(request => cellOf(state, request))])
    .filter(([, ...cells]) => cells.some(cell => cell !== '' && cell !== '…'))
  const table = [['payment', ...requests], ...rows]
  const widths = requests.map((_, n) => Math.max(...table.map(row => row[n + 1]?.length ?? 0)))
  const nameWidth = Math.max(...table.map(([name = '']) => name.length))
  const lines = table.map(([name = '', ...cells]) =>
    [name.padEnd(nameWidth), ...cells.map((cell, n) => cell.padEnd(widths[n] ?? 0))].join(' | ').trimEnd(),
  )
  return ['# Requests that do not ask the provider', ...lines, ...footnotes.map((text, n) => `(${n + 1}) = ${text}`)]
}

/** The cases as a text to be read: a table, then a block for each request and the states with equal outcomes. */
export const renderOutcomes = (cases: readonly OutcomeCase[]): string => {
  const byRequest = grouped(cases, ({ request }) => request)
  const inTable = byRequest.flatMap(([request, all]) =>
    grouped(all, ({ state }) => state).filter(([, own]) => isAlone(own)).length > 5 ? [request] : [],
  )
  const table = tableOf(
    grouped(cases, ({ state }) => state),
    inTable,
  )
  const blocks = byRequest.flatMap(([request, all]) => {
    const states = grouped(all, ({ state }) => state)
      .filter(([, own]) => !(isAlone(own) && inTable.includes(request)))
      .map(([state, own]) => {
        const rows = grouped(own, ({ outcome }) => outcome)
        const lines = rows.flatMap(([outcome, same]) =>
          wrapped(joinedPayers(same.map(({ answers }) => answers)), outcome),
        )
        return { state, text: lines.join('\n') }
      })
    return grouped(states, ({ text }) => text).map(([text, same]) => {
      const titles = same.map(({ state }) => `# ${request}: ${state}`)
      return `${titles.join('\n')}\n${text}`
    })
  })
  return [table.join('\n'), ...blocks].join('\n\n')
}

const readTable = ([, head = '', ...lines]: string[]): OutcomeCase[] => {
  const cellsOf = (line: string): string[] => line.split('|').map(cell => cell.trim())
  const notes = new Map(
    lines.filter(line => line.startsWith('(')).map(line => line.split(/ = (.*)/s).slice(0, 2) as [string, string]),
  )
  const [, ...requests] = cellsOf(head)
  return lines
    .filter(line => !line.startsWith('('))
    .flatMap(line => {
      const [state = '', ...cells] = cellsOf(line)
      return requests.flatMap((request, n) => {
        const cell = cells[n] ?? ''
        if (cell === '' || cell === '…') return []
        return [{ request, state, answers: notAsked, outcome: notes.get(cell) ?? cell }]
      })
    })
}

const readBlock = (block: string): OutcomeCase[] => {
  const lines = block.replaceAll(/\n {2}/g, ' ').split('\n')
  const titles = lines.filter(line => line.startsWith('# ')).map(line => line.slice(2).split(/: (.*)/))
  return titles.flatMap(([request = '', state = '']) =>
    lines
      .filter(line => !line.startsWith('# '))
      .flatMap(line => {
        const [answers = '', outcome = ''] = line.split(/ ⇒ (.*)/)
        return answers
          .split(' | ')
          .flatMap(one => separatedPayers(one.trim()))
          .map(one => ({ request, state, answers: one, outcome }))
      }),
  )
}

/** Reads what renderOutcomes wrote. */
export const readOutcomes = (text: string): OutcomeCase[] => {
  const [table = '', ...blocks] = text.trim().split(/\n\n(?=# )/)
  return [...readTable(table.split('\n')), ...blocks.flatMap(readBlock)]
}
