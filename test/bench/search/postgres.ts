import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Asked, pageSize, skipped } from './asked.ts'
import type { Contestant, Entry } from './contestant.ts'

/** The folder of the newest server's programs on Debian; undefined without one. */
export const programs = globSync('/usr/lib/postgresql/*/bin').findLast(folder =>
  ['initdb', 'pg_ctl', 'psql'].every(name => existsSync(join(folder, name))),
)

// The server refuses to run as root. Debian's package creates a user for it.
const user = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const numberOf = (which: string) => Number(execFileSync('id', [which, 'postgres']).toString())
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}

// A search waits for nothing: data and index fit into memory, and one process runs the whole query.
const settings = [
  ...['listen_addresses=', 'fsync=off', 'synchronous_commit=off', 'autovacuum=off', 'jit=off', 'max_wal_size=8GB'],
  ...['shared_buffers=1GB', 'work_mem=256MB', 'maintenance_work_mem=1GB', 'max_parallel_workers_per_gather=0'],
  ...['max_parallel_maintenance_workers=0', 'random_page_cost=1.1', 'gin_pending_list_limit=64MB'],
]

type Session = { ask: (commands: string) => Promise<string[]>; send: (text: string) => Promise<void>; end: () => void }

const sessionOf = (folder: string, psql: string): Session => {
  const options = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'bench', 'postgres']
  const child = spawn(psql, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = async (text: string) => {
    if (!child.stdin.write(text)) await new Promise(done => child.stdin.once('drain', done))
  }
  const ask = async (commands: string) => {
    await send(`${commands}\n\\echo answered\n`)
    const answers: string[] = []
    for (;;) {
      const { done, value } = await lines.next()
      if (done) throw new Error('psql has ended')
      if (value === 'answered') return answers
      answers.push(value)
    }
  }
  return { ask, send, end: () => child.stdin.end() }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const containing = (column: string, text: string): string =>
  `${column} LIKE ${quoted(`%${text.replace(/[\\%_]/g, '\\$&')}%`)}`

const conditionOf = ({ text, fields, country }: Asked): string => {
  if (text !== undefined) return containing('text', text)
  if (fields) return `${containing('name', fields.name)} AND ${containing('region', fields.place)}`
  return country ? `country = ${quoted(country)}` : 'true'
}

const tables = `
  CREATE EXTENSION pg_trgm;
  CREATE TABLE wines (place int, id int, country text, gross float8, name text, region text, text text);
`
const indexes = `
  ALTER TABLE wines ADD PRIMARY KEY (place);
  CREATE INDEX ON wines (country, place);
  CREATE INDEX ON wines (gross, id);
  CREATE INDEX ON wines USING gin (text gin_trgm_ops);
  CREATE INDEX ON wines USING gin (name gin_trgm_ops, region gin_trgm_ops);
  VACUUM (ANALYZE) wines;
`

const copied = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')

const load = async ({ ask, send }: Session, entries: readonly Entry[]): Promise<void> => {
  await ask(tables)
  await send('COPY wines FROM STDIN;\n')
  for (const { place, id, country, gross, texts } of entries)
    await send(
      `${[place, id, country, gross, texts[0], texts[1], texts.join('\u001f')].map(String).map(copied).join('\t')}\n`,
    )
  await ask('\\.')
  await ask(indexes)
}

/** A server with pg_trgm in its own folder, reached by a socket there. The CPU of the server's process is measured. */
export const postgres = async (entries: readonly Entry[], bin: string): Promise<Contestant & { version: string }> => {
  const owner = user()
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-postgres-'))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const run = (name: string, ...given: string[]) =>
    execFileSync(join(bin, name), given, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  run('initdb', '-D', data, '-A', 'trust', '-U', 'bench', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync')
  const options = [...settings, `unix_socket_directories=${folder}`].map(setting => `-c ${setting}`)
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options.join(' '), 'start')
  const stop = () => {
    run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const session = sessionOf(folder, join(bin, 'psql'))
  const { ask } = session
  const [pid] = await ask('SELECT pg_backend_pid();')
  // Nanoseconds, where /proc/PID/stat has hundredths of a second.
  const used = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  const cpu = async (commands: string): Promise<number> => {
    const before = used()
    await ask(commands)
    return used() - before
  }
  const before = used()
  await load(session, entries)
  const build = used() - before
  const queries = (asked: Asked): { count: string; page: string } => {
    const condition = conditionOf(asked)
    const order = asked.byGross ? 'gross, id' : 'place'
    const page = `SELECT id FROM wines WHERE ${condition} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${skipped(asked)};`
    return { count: `SELECT count(*) FROM wines WHERE ${condition};`, page }
  }
  const [bytes] = await ask("SELECT pg_total_relation_size('wines');")
  const [version = ''] = await ask('SHOW server_version;')
  return {
    name: 'PostgreSQL pg_trgm',
    version,
    answer: async asked => {
      const { count, page } = queries(asked)
      return { total: Number((await ask(count))[0]), ids: (await ask(page)).map(Number) }
    },
    cpu: async (asked, times) => {
      const { count, page } = queries(asked)
      const costs: number[] = []
      for (const one of [count, page]) costs.push((await cpu(`${one}\n`.repeat(times))) / times)
      return costs
    },
    build,
    bytes: Number(bytes),
    close: async () => {
      session.end()
      process.removeListener('exit', stop)
      stop()
    },
  }
}
