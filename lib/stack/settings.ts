const names = [
  'table',
  'tableStream',
  'domain',
  'certificate',
  'hostedZone',
  'baseUrl',
  'front',
  'frontRate',
  'frontKey',
  'publicSearch',
  'fileConcurrency',
  'leadingKeys',
  'alarmMail',
  'monthlyBudget',
] as const

/** The settings of a stage as texts; an absent setting has its default. lib/stack/README.md describes them. */
export type Settings = Partial<Record<(typeof names)[number], string>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entryOf = (stage: string, stages: unknown): Settings | undefined => {
  if (!isRecord(stages)) throw new Error('stages in the context of cdk.json must be an object of stages')
  if (!Object.hasOwn(stages, stage)) return undefined
  const entry = stages[stage]
  if (!isRecord(entry)) throw new Error(`stages.${stage} in cdk.json must be an object of settings`)
  const unknown = Object.keys(entry).filter(name => !names.some(known => known === name))
  if (unknown.length > 0)
    throw new Error(
      `stages.${stage} in cdk.json has unknown settings: ${unknown.join(', ')}. Known: ${names.join(', ')}`,
    )
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value)]))
}

/**
 * Returns the settings of a stage. An entry in `stages` of cdk.json is the only source for its stage, so that a release
 * from another shell or machine has the same table and domain; `-c` flags count for stages without an entry. Throws for
 * a flag that disagrees with the entry, an unknown setting, and `prod` without an entry.
 */
export const settingsOf = (stage: string, context: (name: string) => unknown): Settings => {
  const flags = Object.fromEntries(
    names.flatMap(name => {
      const value = context(name)
      return value === undefined ? [] : [[name, String(value)]]
    }),
  ) as Settings
  const entry = entryOf(stage, context('stages') ?? {})
  if (!entry) {
    if (stage !== 'prod') return flags
    throw new Error(
      'the stage prod needs an entry in cdk.json: add "stages": { "prod": {} } to its context (lib/stack/README.md)',
    )
  }
  for (const name of names) {
    const flag = flags[name]
    if (flag === undefined || flag === entry[name]) continue
    const present = entry[name] === undefined ? 'does not set it' : `has ${entry[name]}`
    throw new Error(`-c ${name}=${flag} disagrees with cdk.json: stages.${stage} ${present}; change it there`)
  }
  return entry
}
