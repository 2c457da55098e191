import { type Domain, domainOf } from '../../lib/stack/domain.ts'
import {
  everyOption,
  ofType,
  onlyOne,
  type Properties,
  type Resources,
  templateOf,
  withCertificate,
} from '../support/synthesized.ts'

const name = 'wine.example'
const certificate = 'arn:aws:acm:eu-central-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'
const hostedZone = 'Z0123456789ABCDEFGHIJ'

/** The stack without a domain, with one in a hosted zone, or with one that has a certificate. */
const deployedWith = (domain: Domain | undefined) => {
  const options = domain && (domain.certificate ? withCertificate : everyOption)
  const { template, resources } = templateOf('dev', options)
  return { resources, outputs: template.toJSON().Outputs as Record<string, { Value: unknown }> }
}

test.each<[string, Domain]>([
  ['a certificate', { name, certificate }],
  ['a hosted zone', { name, hostedZone }],
])('with a domain and %s the service has this name only, and links begin with it', (_, domain) => {
  const { resources, outputs } = deployedWith(domain)
  expect(onlyOne(resources, 'AWS::ApiGatewayV2::Api').Properties).toMatchObject({
    Body: { servers: [{ 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } }] },
  })
  const { id, Properties } = onlyOne(resources, 'AWS::ApiGatewayV2::DomainName')
  expect(Properties).toMatchObject({
    DomainName: name,
    DomainNameConfigurations: [{ EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
  })
  const mapping = onlyOne(resources, 'AWS::ApiGatewayV2::ApiMapping')
  const ApiId = { Ref: onlyOne(resources, 'AWS::ApiGatewayV2::Api').id }
  expect(mapping.Properties).toEqual({ ApiId, DomainName: { Ref: id }, Stage: '$default' })
  expect(mapping.DependsOn).toContain(onlyOne(resources, 'AWS::ApiGatewayV2::Stage').id)
  const origins = ofType(resources, 'AWS::Lambda::Function').map(
    one => (one.Properties.Environment as { Variables: Properties }).Variables.BASE_URL,
  )
  expect([...new Set(origins)]).toEqual([`https://${name}`])
  expect(outputs.BaseUrl?.Value).toBe(`https://${name}`)
})

const certificateIn = (resources: Resources): unknown => {
  const { DomainNameConfigurations } = onlyOne(resources, 'AWS::ApiGatewayV2::DomainName').Properties
  return (DomainNameConfigurations as Properties[])[0]?.CertificateArn
}

test('a given certificate is used, and the outputs contain the target of the name', () => {
  const { resources, outputs } = deployedWith({ name, certificate })
  expect(certificateIn(resources)).toBe(certificate)
  expect(ofType(resources, 'AWS::Route53::RecordSet')).toEqual([])
  const { id } = onlyOne(resources, 'AWS::ApiGatewayV2::DomainName')
  expect(outputs.DomainTarget?.Value).toEqual({ 'Fn::GetAtt': [id, 'RegionalDomainName'] })
})

test('in a hosted zone a certificate is created and validated, and the name is entered', () => {
  const { resources, outputs } = deployedWith({ name, hostedZone })
  const made = onlyOne(resources, 'AWS::CertificateManager::Certificate')
  expect(certificateIn(resources)).toEqual({ Ref: made.id })
  expect(made.Properties).toMatchObject({
    DomainName: name,
    ValidationMethod: 'DNS',
    DomainValidationOptions: [{ DomainName: name, HostedZoneId: hostedZone }],
  })
  expect(onlyOne(resources, 'AWS::Route53::RecordSet').Properties).toMatchObject({
    Name: `${name}.`,
    Type: 'A',
    HostedZoneId: hostedZone,
  })
  expect(outputs).not.toHaveProperty('DomainTarget')
})

test('without a domain the service has the name of its API', () => {
  const { resources } = deployedWith(undefined)
  expect(onlyOne(resources, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint ?? false).toBe(false)
  expect(ofType(resources, 'AWS::ApiGatewayV2::DomainName')).toEqual([])
})

test('a domain is a host name with either a certificate or a hosted zone', () => {
  expect(domainOf({})).toBeUndefined()
  expect(domainOf({ domain: name, certificate })).toEqual({ name, certificate })
  expect(domainOf({ domain: name, hostedZone })).toEqual({ name, hostedZone })
  for (const wrong of ['https://wine.example', 'wine', 'Wine.example', '-a.example', 'wine.example/', ''])
    expect(() => domainOf({ domain: wrong, certificate })).toThrow('domain must be a host name')
  for (const wrong of ['arn:aws:acm:eu-central-1:1:certificate/x', certificate.replace('acm', 'iam')])
    expect(() => domainOf({ domain: name, certificate: wrong })).toThrow('certificate must be the ARN')
  for (const wrong of ['wine.example', 'z123', 'Z1 2'])
    expect(() => domainOf({ domain: name, hostedZone: wrong })).toThrow('hostedZone must be the id')
  for (const wrong of [{ domain: name }, { domain: name, certificate, hostedZone }])
    expect(() => domainOf(wrong)).toThrow('a domain needs either')
  for (const wrong of [{ certificate }, { hostedZone }]) expect(() => domainOf(wrong)).toThrow('say -c domain=NAME')
})
