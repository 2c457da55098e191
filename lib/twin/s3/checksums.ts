import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

const crc32c = (data: Buffer): number => {
  let value = 0xffffffff
  for (const byte of data) value = (value >>> 8) ^ (CRC32C_TABLE[(value ^ byte) & 0xff] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}

const bigEndian = (value: number): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes.toString('base64')
}

const digest =
  (algorithm: string) =>
  (data: Buffer): string =>
    createHash(algorithm).update(data).digest('base64')

/** The checksums the stand-in can compute: header name to a function that gives the header's value (base64). */
export const CHECKSUMS: Readonly<Record<string, (data: Buffer) => string>> = {
  'x-amz-checksum-crc32': data => bigEndian(crc32(data)),
  'x-amz-checksum-crc32c': data => bigEndian(crc32c(data)),
  'x-amz-checksum-sha1': digest('sha1'),
  'x-amz-checksum-sha256': digest('sha256'),
  'x-amz-checksum-sha512': digest('sha512'),
  'x-amz-checksum-md5': digest('md5'),
}
