import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import {
  Distribution,
  type ErrorResponse,
  HttpVersion,
  OriginProtocolPolicy,
  PriceClass,
  SecurityPolicyProtocol,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { Construct } from 'constructs'
import { edgeHeader } from '../../../shared/http/request.ts'
import { certificateFor, type Domain } from '../domain.ts'
import type { ServiceStack } from '../service-stack.ts'
import { behaviors, type Origins, otherBehavior } from './behaviors.ts'
import { firewall } from './firewall.ts'
import { frontKeyOf } from './key.ts'
import { type Front, frontRegion } from './options.ts'

export type FrontStackProps = { service: ServiceStack; front: Front; domain?: Domain | undefined }

const originsOf = ({ service, front }: FrontStackProps): Origins => {
  const { api, stage } = service
  const host = `${api.apiId}.execute-api.${service.region}.${service.urlSuffix}`
  const asked: HttpOriginProps = {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    // The API answers within 30 seconds, with 503 if a function does not.
    readTimeout: Duration.seconds(35),
  }
  const customHeaders = { [edgeHeader]: frontKeyOf(stage.name, front) }
  return { plain: new HttpOrigin(host, asked), keyed: new HttpOrigin(host, { ...asked, customHeaders }) }
}

// CloudFront caches these for ten seconds by default, whatever the response's headers; but the next caller of the same URL
// may succeed.
const unkeptErrors: ErrorResponse[] = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map(httpStatus => ({
  httpStatus,
  ttl: Duration.seconds(0),
}))

/** Adds the name to its hosted zone if that is given. */
const enter = (stack: Stack, { name, hostedZone }: Domain, distribution: Distribution): void => {
  if (hostedZone === undefined) return
  const zone = HostedZone.fromHostedZoneId(stack, 'Zone', hostedZone)
  const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution))
  // The dot at the end makes the name absolute.
  new ARecord(stack, 'Record', { zone, recordName: `${name}.`, target })
  new AaaaRecord(stack, 'RecordOfIpv6', { zone, recordName: `${name}.`, target })
}

/** The edge: CloudFront, which caches public responses, and a web ACL, in us-east-1. */
export class FrontStack extends Stack {
  readonly distribution: Distribution
  readonly domain: Domain | undefined

  constructor(scope: Construct, props: FrontStackProps) {
    const { service, front, domain } = props
    super(scope, `${service.stackName}-Front`, {
      description: `Weinkontor: the front of ${service.stackName}`,
      env: { region: frontRegion },
      terminationProtection: service.stage.terminationProtection,
    })
    // The origins refer to the API, so the service and the key are deployed first.
    const origins = originsOf(props)
    const distribution = new Distribution(this, 'Distribution', {
      comment: service.stackName,
      // CloudFront's own name has a certificate with its own minimum of TLS.
      ...(domain && {
        domainNames: [domain.name],
        certificate: certificateFor(this, domain),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Locations in Europe and North America only; they serve buyers elsewhere, too.
      priceClass: PriceClass.PRICE_CLASS_100,
      webAclId: firewall(this, front).attrArn,
      defaultBehavior: otherBehavior(origins),
      additionalBehaviors: behaviors(this, origins),
      errorResponses: unkeptErrors,
    })
    this.distribution = distribution
    this.domain = domain
    if (domain) enter(this, domain, distribution)
    new CfnOutput(this, 'FrontTarget', {
      value: distribution.distributionDomainName,
      description: domain ? `Where ${domain.name} must lead` : 'What a proxy of yours must ask, or the name itself',
    })
  }
}
