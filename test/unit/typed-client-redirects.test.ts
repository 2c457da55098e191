import { createClient } from '../../lib/client/index.ts'
import { localServer } from '../support/local-server.ts'

test.each([301, 302, 303, 307, 308])('a %i is not followed: no other server receives a request', async status => {
  const strayed: string[] = []
  const other = await localServer(({ url = '' }, response) => {
    strayed.push(url)
    response.setHeader('content-type', 'application/json')
    response.end('{"info":"success","token":"stolen","expires":"2099-01-01 00:00:00","data":[]}')
  })
  const url = await localServer((request, response) => {
    request.resume()
    response.writeHead(status, { location: other + request.url }).end()
  })
  const client = createClient({ url, authid: 'a', token: 'wka_secret', retries: 0 })
  for (const call of [
    () => client.call('/service/wines/get', { id: 1 }, { clientToken: 'wkc_secret' }),
    () => client.call('/wines/search'),
    () => client.call('/localization/{path+}', { path: 'de' }),
  ])
    await expect(call()).rejects.toMatchObject({ name: 'WeinkontorError', status, word: undefined })
  expect(strayed).toEqual([])
})
