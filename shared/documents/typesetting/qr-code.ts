import qrcode from 'qrcode-generator'

/** A QR code: the modules of a side, and the dark runs, each with its row, first column and length in modules. */
export type QrCode = { side: number; runs: { row: number; from: number; length: number }[] }

/** Returns the QR code of a text in UTF-8, with error correction M, in the smallest version that it fits. */
export const qrCodeOf = (text: string): QrCode => {
  const code = qrcode(0, 'M')
  // The library takes one byte a character.
  code.addData(Buffer.from(text, 'utf8').toString('latin1'), 'Byte')
  code.make()
  const side = code.getModuleCount()
  const runs: QrCode['runs'] = []
  for (let row = 0; row < side; row++) {
    for (let from = 0; from < side; from++) {
      let length = 0
      while (from + length < side && code.isDark(row, from + length)) length++
      if (length > 0) runs.push({ row, from, length })
      from += length
    }
  }
  return { side, runs }
}
