import { urlOfGet } from '../../client/request.ts'
import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).toString() === '%PDF-'

/** Waits until a public list contains the wine of the walk by GET, then requests it by POST. */
const waitInList = async (walk: Walk, path: '/wines/getAll' | '/wines/search', body: object): Promise<void> => {
  const { id } = walk.need('wine')
  await walk.until('the wine is not in the list', async () => {
    const { data } = await walk.ask(path, body, { method: 'GET' })
    return data.length === 1 && data[0]?.id === id
  })
  same((await walk.ask(path, body)).data[0]?.id, id, 'data.0.id')
}

const partsOf = (path: string | null): string[] => (path ?? '').split('/').filter(Boolean)

/** Reads the public form of the wine, which follows its edits within seconds. */
export const publicSteps: readonly Step[] = [
  step('/wines/getPublic', 'reads the public wine', async walk => {
    const { id, name, gross, hash } = walk.need('wine')
    await walk.until('the wine is not public with its last price', async () => {
      const shown = await walk.askUnless('/wines/getPublic', { id }, ['wine_not_found'], { method: 'GET' })
      return typeof shown !== 'string' && shown.data.gross === gross
    })
    same((await walk.ask('/wines/getPublic', { hash })).data, { id, name, gross })
  }),
  step('/wines/getAll', 'lists the public wines of all merchants', async walk => {
    await walk.ask('/wines/getAll', { filter: { countrycode: 'de' }, pageSize: 1 }, { method: 'GET' })
    await waitInList(walk, '/wines/getAll', { query: { name: walk.mark } })
  }),
  step('/wines/search', 'searches the public wines of all merchants', async walk => {
    await walk.ask('/wines/search', { query: 'riesling', pageSize: 1 }, { method: 'GET' })
    await waitInList(walk, '/wines/search', { query: walk.mark })
  }),
  step('/wines/getFilters', 'lists the values of two fields', async walk => {
    const fields: ('type' | 'countrycode')[] = ['type', 'countrycode']
    for (const [method, filter] of [['GET', fields.join()] as const, ['POST', fields] as const]) {
      const { data } = await walk.ask('/wines/getFilters', { filter }, { method })
      same(Object.keys(data), fields, 'the keys of data')
      demand(data.type?.includes('white') ?? false, 'the types do not include white')
    }
  }),
  step('/wines/getFilters', 'can be cached with GET, not with POST', async walk => {
    const [path, body] = ['/wines/getFilters', { filter: ['type'] }] as const
    const { headers } = await walk.succeed(path, body, { method: 'GET' })
    same(headers.get('cache-control'), 'public, max-age=5', 'the header Cache-Control')
    const etag = headers.get('etag') ?? ''
    const url = urlOfGet(walk.options.url, path, body)
    const again = await walk.send({ url, method: 'GET', headers: { 'if-none-match': etag } })
    // Wines may have changed in between.
    const isNew = again.headers.get('etag') !== etag
    demand(etag !== '' && (again.status === 304 || isNew), `the status with If-None-Match is ${again.status}`)
    const posted = await walk.succeed(path, body)
    same([posted.headers.get('etag'), posted.headers.get('cache-control')], [null, null], 'ETag, Cache-Control of POST')
  }),
  step('/wines/downloadExpertise', 'redirects to the sheet of a wine', async walk => {
    const { id, pdf } = walk.need('wine')
    const { headers } = await walk.file(
      '/wines/downloadExpertise',
      { wineId: id, expertiseFileName: pdf },
      { method: 'GET' },
    )
    const url = headers.get('location') ?? ''
    demand(URL.canParse(url), 'the header Location is no URL')
    const { bytes, status } = await walk.send({ url, method: 'GET', headers: {} })
    demand(status === 200 && isPdf(bytes), `the link returns no PDF (status ${status})`)
  }),
  step('/PDF/{id}/{file}', 'returns the sheet of a wine', async walk => {
    const [, id, file] = partsOf(walk.need('wine').expertisePdf)
    const { bytes } = await walk.file('/PDF/{id}/{file}', { id, file })
    demand(isPdf(bytes), 'it is no PDF')
    await walk.refused('/PDF/{id}/{file}', { id, file: 'another.pdf' }, 'expertise_not_found')
  }),
  step('/Images/{kind}/{id}/{file}', 'returns the picture of a wine, in two sizes', async walk => {
    const [, kind, id, file] = partsOf(walk.need('wine').image)
    const small = await walk.file('/Images/{kind}/{id}/{file}', { kind, id, file, width: 60 })
    const whole = await walk.file('/Images/{kind}/{id}/{file}', { kind, id, file })
    demand(small.bytes.length < whole.bytes.length, 'the smaller picture is not smaller')
    await walk.refused('/Images/{kind}/{id}/{file}', { kind, id, file: 'another.webp' }, 'picture_not_found')
  }),
]

/** Deactivates the wine, so that it is no longer public. */
export const withdrawSteps: readonly Step[] = [
  step('/service/wines/edit', 'deactivates the wine', async walk => {
    const { id } = walk.need('wine')
    const off = { active: 0, public: 0, shop: 0 } as const
    same((await walk.ask('/service/wines/edit', { id, data: off })).data, { id, ...off })
  }),
  step('/wines/getPublic', 'no longer finds the wine', async walk => {
    const { id } = walk.need('wine')
    const isGone = async () =>
      (await walk.askUnless('/wines/getPublic', { id }, ['wine_not_found'])) === 'wine_not_found'
    await walk.until('the wine is still public', isGone)
  }),
  step('/service/wines/rollOver', 'makes the next vintage of the wine, once', async walk => {
    const { id, path_segment, articlenumber } = walk.need('wine')
    const body = { id, vintage: 2021, data: { description: `The next vintage, written by ${walk.mark}.` } }
    const { data } = await walk.ask('/service/wines/rollOver', body)
    same(data, { ...body.data, vintage: 2021, path_segment, articlenumber, nostock: 1, predecessor_id: id })
    same((await walk.ask('/service/wines/rollOver', body)).data, data)
    // It is deactivated: a shop that reads with `inshop` does not find it.
    const former = await walk.askUnless('/service/wines/get', { id }, ['wine_not_found'])
    if (typeof former !== 'string')
      same(former.data, { vintage: 2020, path_segment: `${path_segment}-2020`, successor_id: data.id })
    await walk.refused('/service/wines/rollOver', { ...body, vintage: 2022 }, 'already_rolled_over')
  }),
]
