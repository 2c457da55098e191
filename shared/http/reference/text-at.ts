import { isLoopback } from '../../platform/loopback.ts'

const written = 'http://localhost:3000'

/**
 * A text of the reference as it reads where it is served. It is written for the demo merchant of a service on the
 * reader's own machine; elsewhere that merchant does not exist: its credentials become `AUTHID` and `API_TOKEN`, what
 * `<!-- local -->` and `<!-- /local -->` enclose goes, and what `<!-- elsewhere: … -->` holds is shown.
 */
export const textAt = (text: string, baseUrl: string): string => {
  const moved = text.replaceAll(written, baseUrl)
  if (isLoopback(new URL(baseUrl))) return moved.replaceAll(/<!-- elsewhere: .*? -->\n|<!-- \/?local -->\n/gs, '')
  return moved
    .replaceAll(/<!-- local -->.*?<!-- \/local -->\n/gs, '')
    .replaceAll(/<!-- elsewhere: (.*?) -->/gs, '$1')
    .replaceAll(/wk-demo-\w+/g, 'AUTHID')
    .replaceAll(/wka_[\da-f_]{60,}/g, 'API_TOKEN')
}
