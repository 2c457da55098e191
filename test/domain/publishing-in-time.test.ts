import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { addWine } from '../../shared/catalogue/wines/edit.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { afterFile } from '../support/jest/environment.ts'
import { publicDocOf, runPublish } from '../support/published.ts'

test('a wine is published, and the next ones need not wait, while Lambda does not answer to start the job of events', async () => {
  let asked = 0
  const silent = createServer(() => asked++)
  await new Promise<void>(done => silent.listen(0, '127.0.0.1', done))
  afterFile(async () => {
    silent.closeAllConnections()
    await new Promise(done => silent.close(done))
  })
  const { port } = silent.address() as AddressInfo
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${port}`,
    STARTED_FUNCTION_NAME: 'the-job-of-events',
  })
  const merchant = merchantIdOf((await createMerchant({ name: 'Schaukeller' })).id)
  const { id } = await addWine(merchant, 1, { name: 'Eile', type: 'red', countrycode: 'de', region: 1005, public: 1 })
  const begun = Date.now()
  await runPublish(merchant)
  expect(Date.now() - begun).toBeLessThan(8000)
  expect(asked).toBeGreaterThan(0)
  expect(await publicDocOf(id)).toEqual(expect.any(String))
})
