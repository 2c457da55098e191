import anyAscii from 'any-ascii'

// As German writes them out; of other letters their base or their sound is taken.
const german = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
])

const maxSlugLength = 200

/**
 * A path segment for a name: 1 to 200 characters of a-z, 0-9 and single inner hyphens. Other scripts are written in
 * Latin letters; `wine` if nothing is left.
 */
export const slug = (name: string): string => {
  const written = name.normalize('NFC').replace(/[äöüßÄÖÜ]/g, letter => german.get(letter.toLowerCase()) as string)
  const plain = anyAscii(written.normalize('NFKC')).toLowerCase()
  const segment = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return segment.slice(0, maxSlugLength).replace(/-$/, '') || 'wine'
}

/** The path segment for a name that no other one has: where it is taken, with -2, -3 … behind it. */
export const freeSlug = (name: string, isTaken: (segment: string) => boolean): string => {
  const base = slug(name)
  for (let n = 1; ; n++) {
    const segment = n === 1 ? base : `${base}-${n}`
    if (!isTaken(segment)) return segment
  }
}

/** The path segment for a wine that no other one has: of its name, then with its vintage, then with -2, -3 … behind it. */
export const freeWineSlug = (
  { name, vintage }: { name: string; vintage?: number | null | undefined },
  isTaken: (segment: string) => boolean,
): string => {
  const base = slug(name)
  if (!isTaken(base) || !vintage) return freeSlug(base, isTaken)
  return freeSlug(`${base}-${vintage}`, isTaken)
}
