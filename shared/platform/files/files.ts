type Bucket = typeof import('./bucket.ts')

// S3's client is a fifth of what a function would read at its start, and most calls of most functions never need it.
const whenNeeded =
  <Given extends unknown[], Result>(workOf: (bucket: Bucket) => (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> =>
    workOf(await import('./bucket.ts'))(...given)

export type { FileHead, Part, Replacing } from './bucket.ts'
export type { UploadForm } from './upload-form.ts'

/** Reads an object; undefined when there is none. An object of more than `most` bytes comes without any. */
export const readFile = whenNeeded(bucket => bucket.readFile)

export const fileExists = whenNeeded(bucket => bucket.fileExists)

/** Reads an object's ETag, metadata and checksum; undefined when there is none. */
export const readHead = whenNeeded(bucket => bucket.readHead)

/**
 * Reads an object as HTTP's Range and If-None-Match ask for it; undefined when there is none. More than `most` bytes are
 * left out.
 */
export const readPart = whenNeeded(bucket => bucket.readPart)

/** The bytes of an object from one place up to, without, another; undefined when there is no such object. */
export const readRange = whenNeeded(bucket => bucket.readRange)

/**
 * Writes an object, with metadata in ASCII if any; returns false if the condition `replacing` is not met.
 */
export const writeFile = whenNeeded(bucket => bucket.writeFile)

export const removeFile = whenNeeded(bucket => bucket.removeFile)

/** A link that reads an object, for as many seconds, under the file name and content type given. */
export const presignedLink = whenNeeded(bucket => bucket.presignedLink)

/** A presigned POST form that stores an object of exactly this place, media type and size, for as many seconds. */
export const uploadForm = whenNeeded(bucket => bucket.uploadForm)
