import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import forge from 'node-forge'

/** A key and its certificate in PEM. */
export type Signer = { name: string; privateKey: KeyObject; certificate: string }

/** `from` and `to` in epoch milliseconds. */
type SignerOptions = { name: string; from: number; to: number; bits: number; issuer: Signer; isAuthority: boolean }

const day = 24 * 3_600_000

const namesOf = (name: string) => [
  { name: 'commonName', value: name },
  { name: 'organizationName', value: 'Weinkontor, no payment provider' },
]

const forgeKey = (key: KeyObject) =>
  forge.pki.privateKeyFromPem(key.export({ type: 'pkcs8', format: 'pem' }).toString())

/** Makes an RSA key and its certificate: by default for `localhost`, valid for a month from yesterday, 2048 bits, self-signed. */
export const makeSigner = (wanted: Partial<SignerOptions> = {}): Signer => {
  const { name = 'localhost', from = Date.now() - day, to = from + 31 * day, bits = 2048, issuer } = wanted
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  // A serial number is positive and has no leading zeros, which a random number could have.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(from)
  certificate.validity.notAfter = new Date(to)
  certificate.setSubject(namesOf(name))
  certificate.setIssuer(namesOf(issuer?.name ?? name))
  certificate.setExtensions([{ name: 'basicConstraints', cA: wanted.isAuthority ?? false }])
  certificate.sign(forgeKey(issuer?.privateKey ?? privateKey), forge.md.sha256.create())
  return { name, privateKey, certificate: forge.pki.certificateToPem(certificate) }
}
