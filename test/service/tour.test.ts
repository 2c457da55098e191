import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { childEnvironment } from '../support/child-environment.ts'
import { type Json, twin } from '../support/harness.ts'
import { newFolder, patience } from '../support/tool.ts'

// A reader pastes the tour of README into a shell. What it changes is the first demo merchant's, whose orders, baskets
// and addresses no other test looks at.

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const scriptOf = (title: string): string =>
  new RegExp(`^## ${title}\\n.*?^\`\`\`sh\\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1] ?? ''
const script = scriptOf('A tour')
const base = 'api=http://localhost:3000\n'
const folder = await newFolder()

// The tests need nothing but Node; a machine may lack curl.
const standIn = join(import.meta.dirname, '../support/fixtures/curl.ts')
const prelude = `command -v curl >/dev/null || curl() { '${process.execPath}' '${standIn}' "$@"; }\n`

const shell = (text: string, cwd?: string): Promise<{ code: number; out: string; errors: string }> =>
  new Promise(done => {
    const env = childEnvironment({ TMPDIR: dirname(folder.path('pdf')) })
    const child = execFile('sh', ['-euc', prelude + text], { env, cwd }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, out, errors }),
    )
  })

test(
  'the tour of README goes as the text says',
  async () => {
    expect(script).toContain(base)
    const { code, out, errors } = await shell(script.replace(base, `api=${twin.url}\n`))
    // What was answered tells why a command failed.
    if (code !== 0) throw new Error(`the tour ended with ${code}: ${errors}\n${out}`)
    expect(errors).toBe('')
    const lines = out.split('\n').filter(line => line !== '')
    const answers: Json[] = lines.flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const [wines, found, wine, address, addresses, mistake, order, cancelled, barolos, filters, basket] = answers
    expect(answers.map(({ info }) => info)).toEqual(answers.map(answer => (answer === mistake ? 'error' : 'success')))
    expect(answers).toHaveLength(11)

    const [dearest, next] = wines.data
    expect(Number(dearest.gross)).toBeGreaterThanOrEqual(Number(next.gross))
    expect(found.data.length).toBeGreaterThan(0)
    expect(wine.data.path_segment).toBe('riesling')
    expect(addresses.data).toContainEqual(address.data)

    expect(mistake).toMatchObject({ code: 400, error: 'validation_failed', fields: [{ path: 'include' }] })
    expect(order.data.positions).toMatchObject([{ item_type: 'wine', quantity: 6, item: { type: 'red' } }])
    expect(cancelled.data).toMatchObject({ uuid: order.data.uuid, status: 'cancelled' })

    expect(barolos.data[0].name).toMatch(/barolo/i)
    expect(Object.keys(filters.data)).toEqual(['type', 'countrycode'])
    expect(basket.data.basketItems).toMatchObject([{ quantity: 3, item: { name: expect.stringMatching(/barolo/i) } }])

    const [pdf, target] = lines.filter(line => !line.startsWith('{'))
    expect(pdf).toMatch(/^%PDF-1\.\d$/)
    const [, url = ''] = /^"targetUrl":"(.*)"$/.exec(target ?? '') ?? []
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  },
  patience,
)

test(
  'the ten-minute guide of README ends with an order',
  async () => {
    const guide = scriptOf('Ten minutes to a first order')
    expect(guide).toContain('http://localhost:3000')
    const { code, out, errors } = await shell(guide.replace('http://localhost:3000', twin.url), root)
    if (code !== 0) throw new Error(`the guide ended with ${code}: ${errors}\n${out}`)
    const [wine, sum, order] = out.trim().split('\n')
    expect(wine).toMatch(/, \d+\.\d\d a bottle, http:\/\/\S+\/Images\/wine\/\d+\//)
    const [, total] = /^six of them: (\d+\.\d\d) with \d+\.\d\d for sending$/.exec(sum ?? '') ?? []
    expect(order).toMatch(new RegExp(`^order \\d+, \\w+, ${total}$`))
  },
  patience,
)
