import { CfnOutput, type Stack } from 'aws-cdk-lib'
import { ApiMapping, DomainName, type HttpStage, type IHttpApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets'

/**
 * The host name of the service, with the ARN of a certificate in the region of the stack that serves it, or with the id of
 * the hosted zone that validates a new certificate and gets the record of the name.
 */
export type Domain = { name: string } & (
  | { certificate: string; hostedZone?: undefined }
  | { hostedZone: string; certificate?: undefined }
)

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
const certificateArn = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-f-]{36}$/
const hostedZoneId = /^Z[A-Z0-9]{1,31}$/

type Texts = { domain?: string | undefined; certificate?: string | undefined; hostedZone?: string | undefined }

/** Parses the settings of the domain; undefined for none. Throws for invalid settings. */
export const domainOf = ({ domain: name, certificate, hostedZone }: Texts): Domain | undefined => {
  if (name === undefined) {
    if (certificate ?? hostedZone) throw new Error('certificate and hostedZone are for a domain: say -c domain=NAME')
    return undefined
  }
  if (!hostName.test(name)) throw new Error(`domain must be a host name such as wine.example: ${name}`)
  if (certificate !== undefined && hostedZone === undefined) {
    if (certificateArn.test(certificate)) return { name, certificate }
    throw new Error(`certificate must be the ARN of a certificate in the stack's region: ${certificate}`)
  }
  if (hostedZone === undefined || certificate !== undefined)
    throw new Error('a domain needs either -c certificate=ARN or -c hostedZone=ID')
  if (hostedZoneId.test(hostedZone)) return { name, hostedZone }
  throw new Error(`hostedZone must be the id of a hosted zone such as Z0123456789ABCDEFGHIJ: ${hostedZone}`)
}

/** The certificate of a domain: the given certificate, or a new certificate that its hosted zone validates. */
export const certificateFor = (stack: Stack, { name, certificate, hostedZone }: Domain): ICertificate => {
  if (certificate !== undefined) return Certificate.fromCertificateArn(stack, 'Certificate', certificate)
  const zone = HostedZone.fromHostedZoneId(stack, 'CertificateZone', hostedZone)
  return new Certificate(stack, 'Certificate', { domainName: name, validation: CertificateValidation.fromDns(zone) })
}

/** Adds a domain to the stage of an API, with a record in its hosted zone, or an output with the target of the name. */
export const serveUnder = (stack: Stack, domain: Domain, api: IHttpApi, stage: HttpStage): void => {
  const domainName = new DomainName(stack, 'Domain', {
    domainName: domain.name,
    certificate: certificateFor(stack, domain),
    securityPolicy: SecurityPolicy.TLS_1_2,
  })
  new ApiMapping(stack, 'DomainMapping', { api, domainName, stage })
  const { regionalDomainName, regionalHostedZoneId } = domainName
  if (domain.hostedZone === undefined) {
    new CfnOutput(stack, 'DomainTarget', {
      value: regionalDomainName,
      description: `Where a CNAME or alias of ${domain.name} must lead`,
    })
    return
  }
  // The dot at the end makes the name absolute, so the zone's name is not needed.
  new ARecord(stack, 'DomainRecord', {
    zone: HostedZone.fromHostedZoneId(stack, 'Zone', domain.hostedZone),
    recordName: `${domain.name}.`,
    target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)),
  })
}
