import { demand, same } from '../compare.ts'
import { type Step, step } from '../walk.ts'

// One pixel in the colour of red wine.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mOolrMBAAHtANalvlYkAAAAAElFTkSuQmCC',
  'base64',
)

/** Uploads a picture of the walk's own wine, which stays in the bucket. */
export const fileSteps: readonly Step[] = [
  step('/service/files/add', 'opens an upload of a picture of the wine, and sends its form', async walk => {
    const record = { type: 'wine', id: walk.need('wine').id } as const
    const file = { kind: 'picture', record, name: 'bottle.png', size: png.length, type: 'image/png' } as const
    const { data } = await walk.ask('/service/files/add', file)
    await walk.refused('/service/files/commit', { file: data.file }, 'upload_not_found')
    const form = new FormData()
    for (const [name, value] of Object.entries(data.upload.fields)) form.append(name, value)
    form.append('file', new Blob([png]), 'bottle.png')
    const { status } = await walk.send({ url: data.upload.url, method: 'POST', headers: {}, body: form })
    demand(status === 204, `the status of the form is ${status}`)
    walk.things.upload = data
  }),
  step('/service/files/commit', 'sets the picture of the wine, once', async walk => {
    const { file } = walk.need('upload')
    const { data } = await walk.ask('/service/files/commit', { file })
    same((await walk.ask('/service/files/commit', { file })).data, data, 'the repeat')
    const { id } = walk.need('wine')
    same((await walk.ask('/service/wines/get', { id })).data, data)
    const [, , kind, owner, name] = (data.image ?? '').split('/')
    const { bytes } = await walk.file('/Images/{kind}/{id}/{file}', { kind, id: owner, file: name })
    demand(bytes.toString('latin1', 8, 12) === 'WEBP', 'the picture is no WebP')
  }),
]
