import { readFileSync } from 'node:fs'
import type { App } from 'aws-cdk-lib'

type Report = { pluginReports: { violations: { ruleName: string }[] }[] }

const namesIn = (reportFile: string): string[] => {
  const { pluginReports } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName)).sort()
}

/** The rules that make a synthesis fail, undefined when it does not fail. */
export const brokenIn = (app: App): string[] | undefined => {
  try {
    app.synth()
    return undefined
  } catch (error) {
    return namesIn(/found in: (\S+)/.exec((error as Error).message)?.[1] ?? '')
  }
}
