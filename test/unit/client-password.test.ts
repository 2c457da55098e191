import { isPassword, storedPassword } from '../../shared/clients/passwords.ts'

const cheap = { n: 16, r: 1, p: 1 }

test('a password is hashed by scrypt, with OWASP’s parameters and its own salt', async () => {
  const [one, other] = await Promise.all([storedPassword('a'), storedPassword('a')])
  expect(one).toMatchObject({ n: 16_384, r: 8, p: 5 })
  expect([Buffer.from(one.salt, 'base64').length, Buffer.from(one.hash, 'base64').length]).toEqual([16, 32])
  expect([one.salt === other.salt, one.hash === other.hash]).toEqual([false, false])
  expect(await isPassword('a', one)).toBe(true)
})

test('a password matches its hash to the last character, at any stored cost', async () => {
  const kept = await storedPassword(' Pässwort ', cheap)
  expect(kept).toMatchObject(cheap)
  expect(await isPassword(' Pässwort ', kept)).toBe(true)
  for (const wrong of ['', 'Pässwort ', ' Pässwort', ' pässwort ', ' Pa\u0308sswort ']) {
    expect(await isPassword(wrong, kept)).toBe(false)
  }
  expect(await isPassword(' Pässwort ', { ...kept, p: 2 })).toBe(false)
})

test('without a stored password none matches, not even the substitute', async () => {
  expect(await isPassword('', undefined)).toBe(false)
  expect(await isPassword('a', undefined)).toBe(false)
})
