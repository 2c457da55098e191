import anyAscii from 'any-ascii'

// German transliterations; other letters are reduced to their base or sound.
const german = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
])

const maxSlugLength = 200

/**
 * A path segment for a name: 1 to 200 characters of a-z, 0-9 and single inner hyphens. Other scripts are transliterated;
 * `wine` if nothing is left.
 */
export const slug = (name: string): string => {
  const written = name.normalize('NFC').replace(/[äöüßÄÖÜ]/g, letter => german.get(letter.toLowerCase()) as string)
  const plain = anyAscii(written.normalize('NFKC')).toLowerCase()
  const segment = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return segment.slice(0, maxSlugLength).replace(/-$/, '') || 'wine'
}

/** A path segment for a name that is not taken: with -2, -3 … if necessary. */
export const freeSlug = (name: string, isTaken: (segment: string) => boolean): string => {
  const base = slug(name)
  for (let n = 1; ; n++) {
    const segment = n === 1 ? base : `${base}-${n}`
    if (!isTaken(segment)) return segment
  }
}

/** A path segment for a wine that is not taken: its name, then with its vintage, then with -2, -3 … */
export const freeWineSlug = (
  { name, vintage }: { name: string; vintage?: number | null | undefined },
  isTaken: (segment: string) => boolean,
): string => {
  const base = slug(name)
  if (!isTaken(base) || !vintage) return freeSlug(base, isTaken)
  return freeSlug(`${base}-${vintage}`, isTaken)
}
