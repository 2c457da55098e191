import type { Template } from './template.ts'

/** The stage that runs on this machine, and where it pretends to. */
export const twinStage = 'twin'
export const region = 'eu-central-1'
const account = '000000000000'

const pseudo: Record<string, string> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': `Weinkontor-${twinStage}`,
  'AWS::URLSuffix': 'amazonaws.com',
}

const physicalName = (type: string, logicalId: string): string => {
  if (type === 'AWS::DynamoDB::Table') return 'weinkontor-twin'
  if (type === 'AWS::S3::Bucket') return 'weinkontor-twin-files'
  if (type === 'AWS::Events::EventBus') return 'weinkontor-twin'
  return logicalId
}

export const tableArn = (name: string): string => `arn:aws:dynamodb:${region}:${account}:table/${name}`

export const functionArn = (name: string): string => `arn:aws:lambda:${region}:${account}:function:${name}`

export const busArn = (name: string): string => `arn:aws:events:${region}:${account}:event-bus/${name}`

/** The ARN of a parameter on this machine; its name begins with a slash. */
export const parameterArn = (name: string): string => `arn:aws:ssm:${region}:${account}:parameter${name}`

const arnOf = (type: string, name: string): string => {
  const [, service = '', kind = ''] = type.split('::')
  if (type === 'AWS::DynamoDB::Table') return tableArn(name)
  if (type === 'AWS::S3::Bucket') return `arn:aws:s3:::${name}`
  if (type === 'AWS::Lambda::Function') return functionArn(name)
  if (type === 'AWS::Events::EventBus') return busArn(name)
  if (type === 'AWS::IAM::Role') return `arn:aws:iam::${account}:role/${name}`
  return `arn:aws:${service.toLowerCase()}:${region}:${account}:${kind.toLowerCase()}/${name}`
}

/**
 * Puts real values in the place of a template's intrinsic functions; a function it does not know is an error, not a
 * guess.
 */
export const resolver = (template: Template): ((value: unknown) => unknown) => {
  const refer = (name: string): string => {
    const resource = template.Resources[name]
    const value = resource ? physicalName(resource.Type, name) : pseudo[name]
    if (value === undefined) throw new Error(`the twin cannot resolve Ref ${name}`)
    return value
  }
  const attribute = ([logicalId = '', name = '']: string[]): string => {
    const type = template.Resources[logicalId]?.Type
    if (!type || (name !== 'Arn' && name !== 'StreamArn'))
      throw new Error(`the twin cannot resolve GetAtt ${logicalId}.${name}`)
    const arn = arnOf(type, physicalName(type, logicalId))
    return name === 'StreamArn' ? `${arn}/stream/twin` : arn
  }
  const call = (name: string, argument: unknown): unknown => {
    if (name === 'Ref') return refer(argument as string)
    if (name === 'Fn::GetAtt') return attribute(argument as string[])
    if (name === 'Fn::Sub') return (argument as string).replace(/\$\{([^}]*)\}/g, (_, one: string) => refer(one))
    const [separator, parts] = argument as [string, unknown[]]
    return parts.map(resolve).join(separator)
  }
  const known = new Set(['Ref', 'Fn::GetAtt', 'Fn::Sub', 'Fn::Join'])
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const [first, ...others] = Object.entries(value)
    if (first && others.length === 0 && known.has(first[0])) return call(...first)
    if (first?.[0].startsWith('Fn::')) throw new Error(`the twin does not know ${first[0]}`)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]))
  }
  return resolve
}
