import { pictures } from '../../../../shared/contract/routes/pictures.ts'
import { serve } from '../../../../shared/http/serve.ts'
import { pictureReply } from '../../../../shared/media/pictures/serve.ts'

export const handler = serve(pictures, async ({ body, headers }) => pictureReply(body, headers['if-none-match']))
