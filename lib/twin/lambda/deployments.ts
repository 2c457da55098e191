import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { CustomResource } from '../template/model.ts'
import type { LocalFunction } from './function.ts'

export type DeploymentsOptions = {
  /** Folder of the file with the properties deployed last. */
  folder: string
  find(arn: string): LocalFunction | undefined
  warn(message: string): void
}

/** Custom resources as CloudFormation treats them. */
export type Deployments = {
  /** Runs the functions of new and changed resources, asynchronously. */
  apply(resources: readonly CustomResource[]): void
  close(): Promise<void>
}

type Answer = { Status?: string; Reason?: string; RequestId?: string }
type Deployed = Record<string, Record<string, unknown>>

const startListening = async (requestId: string) => {
  const answered = Promise.withResolvers<Answer>()
  const server = createServer(async (incoming, response) => {
    const answer = (await json(incoming).catch(() => ({}))) as Answer
    const isRight = incoming.method === 'PUT' && incoming.headers['content-type'] === undefined
    response.writeHead(isRight ? 200 : 403).end()
    if (isRight && answer.RequestId === requestId) answered.resolve(answer)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/${requestId}`, answered: answered.promise, close }
}

export const localDeployments = ({ folder, find, warn }: DeploymentsOptions): Deployments => {
  const file = join(folder, 'deployed.json')
  const readDeployed = async (): Promise<Deployed> => {
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch {
      return {}
    }
  }
  const closing = Promise.withResolvers<void>()
  let isClosed = false
  let running: Promise<void> = Promise.resolve()

  const deploy = async ({ id, functionArn, properties }: CustomResource, isKnown: boolean): Promise<boolean> => {
    const RequestId = randomUUID()
    const { url, answered, close } = await startListening(RequestId)
    const event = {
      ...{ RequestType: isKnown ? 'Update' : 'Create', ResponseURL: url, RequestId },
      ...{ StackId: 'twin', LogicalResourceId: id, ResourceProperties: properties },
    }
    // CloudFormation waits long for an answer. The log shows how the function ended.
    const silent = async (): Promise<Answer> => {
      await find(functionArn)
        ?.invoke(event)
        .catch(() => {})
      return { Reason: 'its function did not answer' }
    }
    const answer = await Promise.race([answered, silent(), closing.promise])
    close()
    if (answer && answer.Status !== 'SUCCESS') warn(`${id} was not deployed: ${answer.Reason}`)
    return answer?.Status === 'SUCCESS'
  }

  const deployAll = async (resources: readonly CustomResource[]): Promise<void> => {
    const deployed = await readDeployed()
    for (const resource of resources) {
      const { id, properties } = resource
      if (isClosed || JSON.stringify(deployed[id]) === JSON.stringify(properties)) continue
      if (!(await deploy(resource, id in deployed))) continue
      deployed[id] = properties
      await writeFile(`${file}.new`, JSON.stringify(deployed), { mode: 0o600 })
      await rename(`${file}.new`, file)
    }
  }

  return {
    apply: resources => {
      running = running.then(() => deployAll(resources)).catch(error => warn(`nothing was deployed: ${error}`))
    },
    close: async () => {
      isClosed = true
      closing.resolve()
      await running
    },
  }
}
