import { relative } from 'node:path'
import { runCLI } from 'jest'

/** A test that ran, or was left out; one named '' stands for a file that could not be loaded. */
export type Ran = { file: string; name: string; status: 'passed' | 'failed' | 'skipped'; time: number; message: string }

const configFile = 'test/mutation/jest.config.ts'

const statusOf = (status: string): Ran['status'] => (status === 'passed' || status === 'failed' ? status : 'skipped')

/** Runs test files in this process, all of them or those given, and of their tests those whose names match a pattern. */
export const runTests = async (files: readonly string[], testNamePattern?: string): Promise<Ran[]> => {
  const { results } = await runCLI(
    {
      $0: 'mutation',
      _: [...files],
      runTestsByPath: files.length > 0,
      config: configFile,
      runInBand: true,
      silent: true,
      reporters: [],
      ...(testNamePattern && { testNamePattern }),
    } as never,
    [process.cwd()],
  )
  return results.testResults.flatMap(({ testFilePath, testResults, testExecError, failureMessage }): Ran[] => {
    const file = relative(process.cwd(), testFilePath)
    if (testExecError) {
      return [{ file, name: '', status: 'failed', time: 0, message: failureMessage ?? testExecError.message }]
    }
    return testResults.map(({ fullName: name, status, duration, failureMessages }) => {
      return { file, name, status: statusOf(status), time: duration ?? 0, message: failureMessages.join('\n') }
    })
  })
}
