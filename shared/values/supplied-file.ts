/** The largest picture or PDF that a merchant may supply, in bytes. */
export const maxFileBytes = 20 * 1024 * 1024

/** True if a name can be part of a link: at most 200 characters, none of which separates or ends a URL path. */
export const isFileName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  /^(?!\.)[^/\\?#%\u0000-\u001f\u007f]{1,200}$/.test(name)

/** True if the file name of a PDF can be part of a link. */
export const isPdfName = (name: string): boolean => isFileName(name) && /.\.pdf$/i.test(name)

/** True for the bytes of a PDF; a truncated or renamed file lacks its beginning or its end. */
export const isWholePdf = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 5) === '%PDF-' && bytes.subarray(-2048).includes('%%EOF')
