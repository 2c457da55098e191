declare module 'linebreak' {
  /** The part of the package, a dependency of pdfkit, that line breaking uses. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required?: boolean } | null
  }
}
