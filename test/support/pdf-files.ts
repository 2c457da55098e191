import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { S3Client } from '@aws-sdk/client-s3'
import { filesFolder, twin } from './harness.ts'

/** The bucket of the twin, reached as its operator. */
export const bucket = new S3Client({})

const bucketFolder = join(filesFolder, twin.bucket)

/** The names of the files in which the twin keeps the objects of its bucket. */
export const objectFiles = (): Promise<string[]> => readdir(bucketFolder)

/** The bytes of such a file: those of the object, and some the twin adds. */
export const fileBytes = (name: string): Promise<Buffer> => readFile(join(bucketFolder, name))

export type File = { status: number; headers: Headers; bytes: Buffer }

/** Asks for a path byte for byte: fetch would resolve dots and encoded dots before it sends them. */
export const fetchRaw = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<File> =>
  new Promise((done, failed) => {
    const { hostname, port } = new URL(twin.url)
    const sent = request({ hostname, port, path, method, headers }, async answer => {
      const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      done({ status: answer.statusCode ?? 0, headers: new Headers(pairs), bytes: await buffer(answer) })
    })
    sent.once('error', failed).end()
  })

/** Follows a link, redirects included. */
export const download = async (url: string): Promise<File> => {
  const answer = await fetch(url)
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A file that counts as a PDF, of as many bytes; the mark makes its content its own. */
export const pdfOf = (size: number, mark: string): Buffer => {
  const file = Buffer.alloc(size, ' ')
  file.write(`%PDF-1.4\n% ${mark}\n`)
  file.write('\n%%EOF\n', size - 7)
  return file
}
