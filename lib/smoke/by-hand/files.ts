import { demand } from '../compare.ts'
import { sendListed } from '../listed.ts'
import { type ByHand, byHand } from '../walk.ts'

// One pixel in the colour of red wine.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mOolrMBAAHtANalvlYkAAAAAElFTkSuQmCC',
  'base64',
)

/** The upload of a picture of the walk's own wine, which stays in the bucket. */
export const fileSteps: readonly ByHand[] = [
  byHand('/service/files/add', 'opens an upload of a picture of the wine, and sends its form', async (walk, listed) => {
    await sendListed(walk, listed)
    const { file, upload } = walk.need('upload')
    await walk.expectRefusal('/service/files/commit', { file }, 'upload_not_found')
    const form = new FormData()
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
    form.append('file', new Blob([png]), 'bottle.png')
    const { status } = await walk.send({ url: upload.url, method: 'POST', headers: {}, body: form })
    demand(status === 204, `the status of the form is ${status}`)
  }),
]
