import { settingsOf } from '../../lib/stack/settings.ts'

const settings = (stage: string, context: Record<string, unknown>) => settingsOf(stage, name => context[name])

test('the entry of a stage in cdk.json is passed to its deployment, as texts', () => {
  const stages = { prod: { domain: 'wine.example', publicSearch: 4096, front: 'on' }, dev: {} }
  expect(settings('prod', { stages })).toEqual({ domain: 'wine.example', publicSearch: '4096', front: 'on' })
})

test('prod is refused without an entry, so that no empty table is deployed because its name was forgotten', () => {
  for (const context of [{}, { stages: {} }, { stages: { dev: {} }, table: 'yesterday' }])
    expect(() => settings('prod', context)).toThrow('the stage prod needs an entry in cdk.json')
})

test('a flag that contradicts the entry is refused, and one that agrees is not', () => {
  const stages = { prod: { table: 'yesterday' } }
  expect(settings('prod', { stages, table: 'yesterday' })).toEqual({ table: 'yesterday' })
  expect(() => settings('prod', { stages, table: 'today' })).toThrow(
    '-c table=today disagrees with cdk.json: stages.prod has yesterday; change it there',
  )
  expect(() => settings('prod', { stages, alarmMail: 'me@example.org' })).toThrow('stages.prod does not set it')
})

test('flags are valid for a stage without an entry', () => {
  expect(settings('constructor', { stages: {}, publicSearch: '2048' })).toEqual({ publicSearch: '2048' })
  expect(settings('dev', { stages: { prod: { table: 'yesterday' } }, publicSearch: '2048' })).toEqual({
    publicSearch: '2048',
  })
})

test('an unknown setting is refused by its name, with the known settings', () => {
  expect(() => settings('prod', { stages: { prod: { alarmmail: 'me@example.org' } } })).toThrow(
    /stages\.prod in cdk\.json has unknown settings: alarmmail\. Known: table, .*alarmMail/,
  )
})

test.each([['prod'], [7], [[]]])('stages that are no objects are refused: %j', wrong => {
  expect(() => settings('prod', { stages: wrong })).toThrow('stages in the context of cdk.json must be an object')
  expect(() => settings('prod', { stages: { prod: wrong } })).toThrow('stages.prod in cdk.json must be an object')
})
