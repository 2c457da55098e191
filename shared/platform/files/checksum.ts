import { crc32 } from 'node:zlib'

/** The checksum of an object's bytes as S3 reports it: the base64 of their CRC-32, big-endian. */
export const checksumOf = (body: Buffer): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(body))
  return bytes.toString('base64')
}
