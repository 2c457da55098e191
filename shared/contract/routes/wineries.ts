import * as v from 'valibot'
import { Winery } from '../records/winery.ts'
import { route } from '../route.ts'
import { byPlace, recordName, wholeListParameters } from '../schema/lists.ts'
import { inshop } from '../schema/wire.ts'

const fields = ['id', 'name', 'company', 'city', 'region', 'countrycode', 'charindex', 'sorting', 'chstamp'] as const

export const wineriesGetAll = route({
  path: '/service/wineries/getAll',
  level: 'service',
  envelope: 'list',
  permissions: { winery: ['get', 'query'], recordsVersion: ['get'] },
  body: v.object(wholeListParameters(fields, byPlace)),
  response: Winery,
  summary: "Lists the merchant's wineries.",
})

export const wineriesGet = route({
  path: '/service/wineries/get',
  level: 'service',
  permissions: { winery: ['get', 'query'], recordsVersion: ['get'] },
  body: v.object({ ...recordName, inshop }),
  response: Winery,
  errors: ['missing_identifier', 'identifier_conflict', 'winery_not_found'],
  summary: 'Reads one winery by id or path_segment.',
})
