/** A CloudFormation template, as far as the twin reads it. */
export type Template = { Resources: Record<string, Resource> }

export type Resource = {
  Type: string
  Properties: Record<string, unknown>
  /** The CDK notes here which folder a function's code is in. */
  Metadata?: { 'aws:asset:path'?: string }
}
