import { errors } from '../../shared/contract/errors.ts'
import { complaintsOf, declaredErrors, unseenErrors } from '../support/declared-errors.ts'

test('every error word is declared by a route', () => {
  const declared = new Set(declaredErrors.map(line => line.split(' ')[1]))
  expect(Object.keys(errors).filter(word => !declared.has(word))).toEqual([])
})

test('no route declares a word twice, or one of all routes', () => {
  expect(declaredErrors.filter((line, n) => declaredErrors.indexOf(line) !== n)).toEqual([])
  const ofAll = declaredErrors.filter(line => line.startsWith('*')).map(line => line.slice(1))
  expect(declaredErrors.filter(line => !line.startsWith('*') && ofAll.some(word => line.endsWith(word)))).toEqual([])
})

test('each reason for an unseen word is a sentence', () => {
  for (const reason of Object.values(unseenErrors)) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
})

describe('the end of a run', () => {
  const declared = ['* invalid_json', '/a wine_not_found', '/b wine_not_found']

  test('reports nothing if each word was seen at its route, and those of all routes anywhere', () => {
    const seen = new Set(['/b invalid_json', '/a wine_not_found', '/b wine_not_found', '/b order_paid'])
    expect(complaintsOf(seen, declared, {})).toEqual([])
  })

  test('reports words that were never seen and have no reason', () => {
    const complaints = ['* invalid_json: declared, but never seen', '/a wine_not_found: declared, but never seen']
    expect(complaintsOf(new Set(['/b wine_not_found']), declared, {})).toEqual(complaints)
    expect(complaintsOf(new Set(['/b wine_not_found']), declared, { '* invalid_json': 'So.' })).toEqual([complaints[1]])
  })

  test('reports reasons for words that are not declared', () => {
    const seen = new Set(['/a invalid_json', '/a wine_not_found', '/b wine_not_found'])
    expect(complaintsOf(seen, declared, { '/b wine_not_found': 'So.', '/c order_paid': 'So.' })).toEqual([
      '/c order_paid: has a reason, but is not declared',
    ])
  })
})
