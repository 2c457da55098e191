/**
 * The code points that folding may change, as hexadecimal ranges: of all runs of characters in Unicode 16.0, those with at
 * least one character that has two cases, or that normalization decomposes, composes or moves. By Unicode's stability
 * policies later versions treat them the same way, so all versions of Node with Unicode 16.0 or later fold them alike.
 */
const foldable = `
  0-377 37a-37f 384-38a 38c 38e-3a1 3a3-52f 531-556 559-58a 591-5c7 5d0-5ea 5ef-5f4 600-70d 70f-74a 7c0-7fa 7fd-82d
  840-85b 897-983 993-9a8 9aa-9b0 9bc-9c4 9c7-9c8 9cb-9ce 9d7 9dc-9dd 9df-9e3 9e6-9fe a13-a28 a2a-a30 a32-a33 a35-a36
  a38-a39 a3c a4b-a4d a59-a5c a5e abc-ac5 acb-acd b13-b28 b3c-b44 b47-b48 b4b-b4d b55-b57 b5c-b5d b92-b95 bbe-bc2
  bc6-bc8 bca-bcd bd7 c3c-c44 c46-c48 c4a-c4d c55-c56 cbc-cc4 cc6-cc8 cca-ccd cd5-cd6 d12-d44 d46-d48 d4a-d4f d54-d63
  dca dcf-dd4 dd8-ddf e01-e3a e3f-e5b ea7-ebd ec8-ece f00-f47 f49-f6c f71-f97 f99-fbc fbe-fcc 1000-10c5 10c7 10cd
  10d0-1248 135d-137c 13a0-13f5 13f8-13fd 1700-1715 171f-1736 1780-17dd 1880-18aa 1930-193b 19de-1a1b 1a60-1a7c
  1a7f-1a89 1ab0-1ace 1b00-1b4c 1b4e-1bf3 1bfc-1c37 1c4d-1c8a 1c90-1cba 1cbd-1cc7 1cd0-1cfa 1d00-1f15 1f18-1f1d
  1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff2-1ff4
  1ff6-1ffe 2000-2064 20d0-20f0 2100-218b 2190-2429 2460-2b73 2b97-2cf3 2cf9-2d25 2d27 2d2d 2d7f-2d96 2de0-2e5d
  2ff0-303f 3041-3096 3099-30ff 3220-a48c a640-a6f7 a700-a7cd a7d0-a7d1 a7d5-a7dc a7f2-a82c a880-a8c5 a8e0-a953
  a980-a9cd aa5c-aac2 aadb-aaf6 ab30-ab6b ab70-abed ac00-d7a3 e000-fa6d fa70-fad9 fb00-fb06 fb13-fb17 fb1d-fb36
  fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fbc2 fe20-fe52 ff01-ffbe 101d0-101fd 102e0-102fb 10350-1037a 10400-1049d
  104b0-104d3 104d8-104fb 1056f-1057a 1057c-1058a 1058c-10592 10594-10595 10597-105a1 105a3-105b1 105b3-105b9
  105bb-105bc 105c0-105f3 10a0c-10a13 10a38-10a3a 10a3f-10a48 10ac0-10ae6 10c80-10cb2 10cc0-10cf2 10cfa-10d27
  10d40-10d65 10d69-10d85 10eab-10ead 10efc-10f27 10f30-10f59 10f70-10f89 11000-1104d 11052-11075 1107f-110c2
  11100-11134 11150-11176 11180-111df 11213-11241 112b0-112ea 1133b-11344 11347-11348 1134b-1134d 11357 11366-1136c
  11370-11374 11380-11389 1138b 1138e 11390-113b5 113b7-113c0 113c2 113c5 113c7-113ca 113cc-113d5 11400-1145b
  1145d-11461 11480-114c7 11580-115b5 115b8-115dd 11600-11644 11680-116b9 1171d-1172b 11800-1183b 118a0-118f2
  11918-11935 11937-11938 1193b-11946 119da-119e4 11a00-11a47 11a50-11aa2 11c38-11c45 11d3f-11d47 11d93-11d98
  11f3e-11f5a 16100-16139 16af0-16af5 16b00-16b45 16d40-16d79 16e40-16e9a 16ff0-16ff1 1bc9c-1bca3 1d129-1d1ea
  1d200-1d245 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e13d 1e290-1e2ae 1e2c0-1e2f9
  1e4d0-1e4f9 1e5d0-1e5fa 1e8c7-1e8d6 1e900-1e94b 20000-2a6df 2f800-2fa1d
`

/** Raise it with every change of `fold`, so that stored folded text is rebuilt. */
export const foldVersion = 3

const foldableRun = new RegExp(`[${foldable.replace(/[0-9a-f]+/g, '\\u{$&}').replace(/\s/g, '')}]+`, 'gu')

const foldRun = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    // Lower casing writes Σ as ς at the end of a word only, which would hide ΜΑΣ inside ΜΑΣΤΙΧΑ.
    .replaceAll('ς', 'σ')
    // Some pairs compose only in lower case (J + caron), and ss may meet a mark that followed ß.
    .normalize('NFC')

/**
 * The form in which texts are compared case-insensitively: NFC, lower case without any locale, ß and ẞ as ss.
 * Accents stay: `Müller` and `Muller` differ. Characters newer than Unicode 16.0 stay, so the result does not depend on the
 * version of Node. Idempotent.
 */
export const fold = (text: string): string => text.toWellFormed().replace(foldableRun, foldRun)

let german: Intl.Collator | undefined

/**
 * Compares texts as German sorts them: below zero where the first comes before. Digits are letters like others, so "10"
 * comes before "9".
 */
export const inGerman = (one: string, other: string): number => {
  // Made lazily: it would be the slowest part of a function's start.
  german ??= new Intl.Collator('de')
  return german.compare(one, other)
}

/** Cuts a text to `max` characters, the last of them an ellipsis. */
export const abridge = (text: string, max: number): string => {
  if (text.length <= max) return text
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** A copy of plain data with every string changed; keys stay. */
export const withTexts = <T>(data: T, change: (text: string) => string): T => {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part)
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(data) as T
}

export const withShortTexts = <T>(data: T, max: number): T => withTexts(data, text => abridge(text, max))
