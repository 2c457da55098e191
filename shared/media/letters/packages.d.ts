declare module 'linebreak' {
  /** What of the package, which pdfkit brings along, breaking lines needs. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required?: boolean } | null
  }
}
