import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { signInRate } from '../../lib/stack/front/firewall.ts'
import { frontOf } from '../../lib/stack/front/options.ts'
import { keptRoutes, keyHeaders, patternOf, translatedRoutes } from '../../lib/stack/front/routes.ts'
import { labelLanguages } from '../../shared/contract/labels/label-tables.ts'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { preferredLanguage } from '../../shared/documents/elabels/language.ts'
import { defaults } from '../../shared/merchants/quotas.ts'
import { frontVariants, ofType, onlyOne, type Properties, templateOf } from '../support/synthesized.ts'

const name = 'wine.example'
const hostedZone = 'Z0123456789ABCDEFGHIJ'
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'

const byDomain = frontVariants.byDomain()
const byCertificate = frontVariants.byCertificate()
const byBaseUrl = frontVariants.byBaseUrl()
const without = templateOf('dev').resources

const distribution = onlyOne(byDomain.before.Resources, 'AWS::CloudFront::Distribution').Properties
  .DistributionConfig as Properties

type Behavior = {
  PathPattern: string
  TargetOriginId: string
  CachePolicyId: unknown
  OriginRequestPolicyId: unknown
  AllowedMethods: string[]
  CachedMethods?: string[]
  ViewerProtocolPolicy: string
  FunctionAssociations?: Properties[]
}
const named = distribution.CacheBehaviors as Behavior[]
const other = distribution.DefaultCacheBehavior as Behavior

// AWS's policies CachingDisabled and AllViewerExceptHostHeader.
const nothingKept = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'
const allButHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac'

const policy = (type: string, id: unknown): Properties =>
  byDomain.before.Resources[(id as { Ref: string }).Ref]?.Properties[`${type}Config`] as Properties

// Of its signs none but the dot and the star mean something in either language.
const fits = (path: string, { PathPattern }: Behavior): boolean =>
  new RegExp(`^${PathPattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path)

/** The behaviour of CloudFront for a path. */
const behaviorOf = (path: string): Behavior => named.find(one => fits(path, one)) ?? other

/** A path of a route, with something in its parameters. */
const pathOf = ({ path }: Route): string => path.replaceAll(/\{\w+\+\}/g, 'a/b.json').replaceAll(/\{\w+\}/g, 'x')

describe('without an edge', () => {
  test('the template contains nothing of it, and no function has a key', () => {
    const types = new Set(Object.values(without).map(({ Type }) => Type))
    for (const type of types) expect(type).not.toMatch(/CloudFront|WAF|SecretsManager/)
    expect(JSON.stringify(without)).not.toContain('FRONT_KEY')
  })

  test('the stack has no fixed region', () => {
    expect(JSON.stringify(without)).toContain('{"Ref":"AWS::Region"}')
  })
})

describe('the stack of the service with an edge', () => {
  test.each([
    ['a domain', byDomain],
    ['a base URL', byBaseUrl],
  ])('by %s has the key besides, and nothing else', (_, { service }) => {
    const added = Object.entries(service.Resources).filter(([id]) => !without[id])
    expect(added.map(([, { Type }]) => Type)).toEqual(['AWS::SecretsManager::Secret'])
    expect(Object.keys(service.Resources)).toHaveLength(Object.keys(without).length + 1)
  })

  test('keeps the API’s own name, which the edge calls', () => {
    const api = onlyOne(byDomain.service.Resources, 'AWS::ApiGatewayV2::Api')
    expect(api.Properties.Body).toMatchObject({
      servers: [{ 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: false } }],
    })
    const output = Object.entries(byDomain.service.Outputs).find(
      ([, { Value }]) => (Value as { Ref?: string }).Ref === api.id,
    )?.[0]
    const place = { StackName: 'Weinkontor-dev', OutputName: output, Region: 'eu-central-1' }
    for (const { DomainName } of distribution.Origins as Properties[])
      expect(DomainName).toEqual({
        'Fn::Join': ['', [{ 'Fn::GetStackOutput': place }, '.execute-api.eu-central-1.', { Ref: 'AWS::URLSuffix' }]],
      })
  })

  test.each([
    [`https://${name}`, byDomain],
    [`https://${name}`, byCertificate],
    ['https://d1.cloudfront.net', byBaseUrl],
  ])('makes links with the public name: %s', (url, { service }) => {
    expect(service.Outputs.BaseUrl?.Value).toBe(url)
    const { Environment } = ofType(service.Resources, 'AWS::Lambda::Function')[0]?.Properties as Properties
    expect((Environment as { Variables: Properties }).Variables.BASE_URL).toBe(url)
  })

  test('has a key that AWS creates, also for CloudFront', () => {
    expect(onlyOne(byDomain.service.Resources, 'AWS::SecretsManager::Secret').Properties).toMatchObject({
      Name: 'weinkontor-front/dev/1',
      GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 },
      ReplicaRegions: [{ Region: 'us-east-1' }],
    })
    const { Properties } = onlyOne(byBaseUrl.service.Resources, 'AWS::SecretsManager::Secret')
    expect(Properties).not.toHaveProperty('ReplicaRegions')
  })

  test('with another number has another key, on both sides', () => {
    const { service, before } = byBaseUrl
    const made = onlyOne(service.Resources, 'AWS::SecretsManager::Secret')
    const former = onlyOne(byDomain.service.Resources, 'AWS::SecretsManager::Secret')
    expect([made.Properties.Name, made.id === former.id]).toEqual(['weinkontor-front/dev/2', false])
    expect(JSON.stringify(before.Resources)).toContain(
      '{{resolve:secretsmanager:weinkontor-front/dev/2:SecretString:::}}',
    )
  })

  test('lets no function read the key, or anything else in Secrets Manager', () => {
    expect(JSON.stringify(byDomain.service.Resources)).not.toContain('"secretsmanager:')
  })

  test('gives the key to the sign-in only', () => {
    const given = ofType(byDomain.service.Resources, 'AWS::Lambda::Function').filter(
      ({ Properties }) => 'FRONT_KEY' in (Properties.Environment as { Variables: Properties }).Variables,
    )
    expect(given.map(({ Properties }) => Properties.Description)).toEqual([expect.stringMatching(/^\/service\/login:/)])
    const { id } = onlyOne(byDomain.service.Resources, 'AWS::SecretsManager::Secret')
    const { FRONT_KEY } = (given[0]?.Properties.Environment as { Variables: Properties }).Variables
    expect(FRONT_KEY).toEqual({
      'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']],
    })
  })
})

describe('the origin', () => {
  const origins = distribution.Origins as (Properties & { Id: string })[]
  const keyed = origins.filter(({ OriginCustomHeaders }) => OriginCustomHeaders)

  test('gets the key with requests to the sign-in only, where callers cannot choose the address that is sent with it', () => {
    expect(origins).toHaveLength(2)
    const value = '{{resolve:secretsmanager:weinkontor-front/dev/1:SecretString:::}}'
    expect(keyed.map(({ OriginCustomHeaders }) => OriginCustomHeaders)).toEqual([
      [{ HeaderName: 'x-weinkontor-front', HeaderValue: value }],
    ])
    const using = [...named, other].filter(({ TargetOriginId }) => TargetOriginId === keyed[0]?.Id)
    expect(using).toEqual([behaviorOf('/service/login')])
    expect(policy('OriginRequestPolicy', using[0]?.OriginRequestPolicyId).HeadersConfig).toEqual({
      HeaderBehavior: 'whitelist',
      Headers: ['content-type', 'x-request-id', 'cloudfront-viewer-address'],
    })
  })

  test('is called by TLS, with a longer timeout than that of the API', () => {
    for (const { CustomOriginConfig } of origins)
      expect(CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
        OriginReadTimeout: 35,
      })
  })
})

describe('CloudFront caches', () => {
  const untranslated = keptRoutes.filter(route => !translatedRoutes.includes(route))
  test.each(untranslated.map(route => [route.path, route] as const))('%s, by the headers of the answer', (_, route) => {
    const behavior = behaviorOf(pathOf(route))
    expect(behavior.CachedMethods).toEqual(['GET', 'HEAD'])
    expect(policy('CachePolicy', behavior.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      ParametersInCacheKeyAndForwardedToOrigin: {
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
      },
    })
    // No credential reaches the function, so that none can be in its answer.
    expect(policy('OriginRequestPolicy', behavior.OriginRequestPolicyId)).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['content-type'] },
      CookiesConfig: { CookieBehavior: 'none' },
    })
  })

  test('what is public: PDFs, pictures, labels, localization, wines, documents', () => {
    expect(keptRoutes.map(patternOf).sort()).toEqual([
      '/Images/*',
      '/PDF/*',
      '/docs',
      '/docs-assets/*',
      '/e/*',
      '/elabels/get',
      '/localization/*',
      '/openapi.json',
      '/weinkontor-client.tgz',
      '/wines/getAll',
      '/wines/getFilters',
      '/wines/getPublic',
      '/wines/search',
    ])
  })

  test('pages of labels, 24 copies of each at most: no header and no query but `lang` is in the key', () => {
    expect(translatedRoutes.map(({ path }) => path)).toEqual(['/e/{path+}'])
    const behavior = behaviorOf('/e/x')
    expect(policy('CachePolicy', behavior.CachePolicyId).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['lang'] },
      CookiesConfig: { CookieBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'none' },
    })
    expect(policy('OriginRequestPolicy', behavior.OriginRequestPolicyId)).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['accept'] },
      CookiesConfig: { CookieBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    })
    const { id } = onlyOne(byDomain.before.Resources, 'AWS::CloudFront::Function')
    expect(behavior.FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } },
    ])
  })

  const others = routes.filter(route => !keptRoutes.includes(route))
  test.each(others.map(route => [route.path, route] as const))('never %s', (path, route) => {
    const behavior = behaviorOf(pathOf(route))
    expect(behavior.CachePolicyId).toBe(nothingKept)
    if (path !== '/service/login') expect(behavior).toBe(other)
  })

  test('no unlisted path', () => {
    expect(other).toMatchObject({ CachePolicyId: nothingKept, OriginRequestPolicyId: allButHost })
    for (const path of [
      '/',
      '/service/wines/getall',
      '/PDF',
      '/Images',
      '/wines/search/',
      '/service/PDF/1/x',
      '/openapi-json',
    ])
      expect(behaviorOf(path)).toBe(other)
  })

  test('no error, which it would cache for ten seconds by default', () => {
    const unkept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
    expect(distribution.CustomErrorResponses).toEqual(unkept.map(ErrorCode => ({ ErrorCode, ErrorCachingMinTTL: 0 })))
  })

  test('by headers that a route reads, except those that caches answer themselves', () => {
    const reading = (...names: string[]): Pick<Route, 'headers'> => ({
      headers: { reads: Object.fromEntries(names.map(one => [one, ''])) },
    })
    expect(keyHeaders([reading('range', 'accept-language'), reading('accept-language', 'if-none-match')])).toEqual([
      'accept-language',
    ])
    expect(keyHeaders([{}, reading('accept-encoding')])).toEqual([])
  })

  test('by few patterns without overlap, also for future routes', () => {
    expect(named.length).toBeLessThanOrEqual(25)
    expect(new Set(named.map(({ PathPattern }) => PathPattern)).size).toBe(named.length)
    for (const route of routes) {
      const fitting = named.filter(one => fits(pathOf(route), one))
      expect([fileOf(route), fitting.length <= 1]).toEqual([fileOf(route), true])
    }
  })
})

describe('the function at the edge', () => {
  const { FunctionCode, FunctionConfig } = onlyOne(byDomain.before.Resources, 'AWS::CloudFront::Function')
    .Properties as { FunctionCode: string; FunctionConfig: Properties }
  type Query = Record<string, { value: string }>
  const runAt = (querystring: Query, accepted?: string): Query => {
    const headers = accepted === undefined ? {} : { 'accept-language': { value: accepted } }
    const event = { viewer: { ip: '192.0.2.1' }, request: { uri: '/e/x', querystring, headers } }
    return runInNewContext(`${FunctionCode}; handler(event)`, { event }).querystring
  }

  test.each([
    [{}, undefined, 'de'],
    [{}, 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    [{}, 'ja;q=0.9, el;q=0.1', 'el'],
    [{ lang: { value: 'pl' } }, 'fr', 'pl'],
    [{ lang: { value: 'xx' } }, 'fr', 'fr'],
    [{ lang: { value: '' }, x: { value: '1' } }, undefined, 'de'],
    [{ utm_source: { value: 'x' } }, 'sv', 'sv'],
  ])('turns query %j and Accept-Language %s into the language %s, and drops all else', (query, accepted, lang) => {
    expect(runAt(query as Query, accepted)).toEqual({ lang: { value: lang } })
  })

  test('chooses as the service does, for any header', () => {
    const name = fc.constantFrom(...labelLanguages, 'ja', 'DE-at', '*', '', 'x-y')
    const weight = fc.constantFrom('', ';q=1', ';q=0.5', ';q=0', '; q=0.25', ';q=x')
    const header = fc.array(fc.tuple(name, weight)).map(parts => parts.map(part => part.join('')).join(','))
    fc.assert(
      fc.property(header, accepted => {
        expect(runAt({}, accepted).lang?.value).toBe(preferredLanguage(accepted, labelLanguages))
      }),
    )
  })

  test('is written for the runtime of CloudFront, which knows little of today’s JavaScript, and fits into its 10 KB', () => {
    expect(FunctionConfig.Runtime).toBe('cloudfront-js-2.0')
    expect(FunctionCode.length).toBeLessThan(10_240)
    expect(FunctionCode).not.toMatch(/\?\.|\?\?|\bof\b|\bclass\b|\.\.\.|=> ?\(\{|(const|let) [[{]|\bas\b|: string/)
  })
})

test('the edge writes no log of requests, which would contain the addresses of callers', () => {
  expect(distribution).not.toHaveProperty('Logging')
  const types = Object.values(byDomain.before.Resources).map(({ Type }) => Type)
  expect(types.filter(type => /Logging|RealtimeLog|Logs::|MonitoringSubscription/.test(type))).toEqual([])
})

test('every path accepts every method, by TLS only: the service itself refuses wrong methods', () => {
  for (const one of [...named, other])
    expect([one.AllowedMethods.length, one.ViewerProtocolPolicy]).toEqual([7, 'https-only'])
})

describe('the domain name of the edge', () => {
  test('is entered in a hosted zone, with a certificate in CloudFront’s region', () => {
    const { Resources } = byDomain.before
    const made = onlyOne(Resources, 'AWS::CertificateManager::Certificate')
    expect(distribution.Aliases).toEqual([name])
    expect(distribution.ViewerCertificate).toMatchObject({
      AcmCertificateArn: { Ref: made.id },
      MinimumProtocolVersion: 'TLSv1.2_2021',
    })
    const records = ofType(Resources, 'AWS::Route53::RecordSet').map(({ Properties }) => Properties)
    expect(records.map(({ Type, Name, HostedZoneId }) => [Type, Name, HostedZoneId]).sort()).toEqual([
      ['A', `${name}.`, hostedZone],
      ['AAAA', `${name}.`, hostedZone],
    ])
    expect(byDomain.outside.region).toBe('us-east-1')
    for (const type of ['AWS::Route53::RecordSet', 'AWS::ApiGatewayV2::DomainName'])
      expect(ofType(byDomain.service.Resources, type)).toEqual([])
  })

  test('with a given certificate needs a record by the operator: the output has its target', () => {
    const { Resources, Outputs } = byCertificate.before
    const { id, Properties } = onlyOne(Resources, 'AWS::CloudFront::Distribution')
    expect(Properties.DistributionConfig).toMatchObject({ ViewerCertificate: { AcmCertificateArn: certificate } })
    expect(ofType(Resources, 'AWS::Route53::RecordSet')).toEqual([])
    expect(Outputs.FrontTarget?.Value).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] })
  })

  test('without a domain is CloudFront’s own', () => {
    const { Properties } = onlyOne(byBaseUrl.before.Resources, 'AWS::CloudFront::Distribution')
    expect(Properties.DistributionConfig).not.toHaveProperty('Aliases')
    expect(Properties.DistributionConfig).not.toHaveProperty('ViewerCertificate')
  })
})

describe('the firewall', () => {
  const acl = onlyOne(byDomain.before.Resources, 'AWS::WAFv2::WebACL')
  type Rule = Properties & { Name: string; Priority: number; Statement: Record<string, Properties> }
  const rules = acl.Properties.Rules as Rule[]
  const statement = (rule: string, kind: string) =>
    rules.find(({ Name }) => Name === rule)?.Statement[kind] as Properties

  test('is attached to the distribution, allows requests that no rule blocks, and has metrics', () => {
    expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [acl.id, 'Arn'] })
    expect(acl.Properties).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } })
    const measured = [acl.Properties, ...rules].map(({ VisibilityConfig }) => VisibilityConfig as Properties)
    // A sample would show credentials.
    for (const one of measured)
      expect(one).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false })
    expect(new Set(measured.map(({ MetricName }) => MetricName)).size).toBe(7)
    expect(rules.map(({ Priority }) => Priority)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('blocks addresses with too many requests, with words of the contract', () => {
    const counted = { AggregateKeyType: 'IP', EvaluationWindowSec: 300 }
    expect(statement('Requests', 'RateBasedStatement')).toEqual({ ...counted, Limit: 1000 })
    expect(statement('SignIns', 'RateBasedStatement')).toMatchObject({ ...counted, Limit: 30_000 })
    expect(statement('PublicReads', 'RateBasedStatement')).toMatchObject({ ...counted, Limit: 5000 })
    for (const { Action } of rules.slice(0, 3))
      expect(Action).toEqual({
        Block: {
          CustomResponse: {
            ResponseCode: 429,
            CustomResponseBodyKey: 'TooFast',
            ResponseHeaders: [
              { Name: 'retry-after', Value: '60' },
              { Name: 'cache-control', Value: 'no-store' },
            ],
          },
        },
      })
    const { TooFast } = acl.Properties.CustomResponseBodies as { TooFast: { Content: string } }
    expect(JSON.parse(TooFast.Content)).toEqual({
      info: 'error',
      code: 429,
      error: 'quota_exceeded',
      details: expect.stringMatching(/\.$/),
    })
  })

  test('counts sign-ins by their path, in any spelling', () => {
    const { ScopeDownStatement } = statement('SignIns', 'RateBasedStatement')
    const { RegexMatchStatement } = ScopeDownStatement as { RegexMatchStatement: Properties }
    expect(RegexMatchStatement).toMatchObject({
      FieldToMatch: { UriPath: {} },
      TextTransformations: [{ Type: 'URL_DECODE' }, { Type: 'NORMALIZE_PATH' }],
    })
    const pattern = new RegExp(String(RegexMatchStatement.RegexString))
    expect(routes.filter(({ path }) => pattern.test(path)).map(({ path }) => path)).toEqual(['/service/login'])
  })

  test('has patterns of at most 200 characters, the limit of AWS WAF', () => {
    const lengths = [...JSON.stringify(rules).matchAll(/"RegexString":"([^"]*)"/g)].map(([, one = '']) => one.length)
    expect(lengths).toHaveLength(2)
    for (const length of lengths) expect(length).toBeLessThanOrEqual(200)
  })

  test('counts GET requests to public routes, but not to labels, which shops’ servers read', () => {
    const { ScopeDownStatement } = statement('PublicReads', 'RateBasedStatement')
    const { AndStatement } = ScopeDownStatement as { AndStatement: { Statements: Record<string, Properties>[] } }
    const [method, path] = AndStatement.Statements
    expect(method?.ByteMatchStatement).toMatchObject({ SearchString: 'GET', PositionalConstraint: 'EXACTLY' })
    const pattern = new RegExp(String(path?.RegexMatchStatement?.RegexString))
    const counted = routes.filter(route => pattern.test(route.path)).map(route => route.path)
    expect(counted).toEqual(keptRoutes.map(route => route.path).filter(one => !one.startsWith('/localization/')))
    expect(pattern.test('/openapi-json')).toBe(false)
  })

  test('blocks no shop within its quotas, not even one that signs in once a visitor', () => {
    // The quota of ten minutes (shared/merchants/quotas.ts) may be used up immediately.
    for (const rate of [10, 200_000]) expect(signInRate(rate)).toBe(30_000)
    expect(30_000).toBeGreaterThan(defaults.sessions / 72)
    expect(signInRate(1_000_000)).toBe(150_000)
    const { rate = 0 } =
      frontOf({ front: 'on' }, { domain: { name, hostedZone }, baseUrl: undefined, region: 'x' }) ?? {}
    expect(rate).toBeGreaterThanOrEqual(3 * 300 * defaults.requests)
    expect(rate).toBeGreaterThan(signInRate(rate))
  })

  test('has AWS’s rules on known attackers and attacks, which only count legitimate requests of shops', () => {
    const managed = rules.slice(3).map(({ OverrideAction, Statement }) => {
      expect(OverrideAction).toEqual({ None: {} })
      const { VendorName, Name, RuleActionOverrides } = Statement.ManagedRuleGroupStatement as Properties
      const overrides = RuleActionOverrides as { Name: string; ActionToUse: object }[]
      for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} })
      return [VendorName, Name, overrides.map(one => one.Name)]
    })
    expect(managed).toEqual([
      ['AWS', 'AWSManagedRulesAmazonIpReputationList', []],
      ['AWS', 'AWSManagedRulesKnownBadInputsRuleSet', []],
      [
        'AWS',
        'AWSManagedRulesCommonRuleSet',
        [
          'SizeRestrictions_BODY',
          'SizeRestrictions_QUERYSTRING',
          'NoUserAgent_HEADER',
          'CrossSiteScripting_BODY',
          'GenericLFI_BODY',
          'GenericRFI_BODY',
          'GenericRFI_QUERYARGUMENTS',
        ],
      ],
    ])
  })
})

test('the edge is deployed after the service, and is protected like it', () => {
  expect(byDomain.outside).toMatchObject({ dependencies: ['Weinkontor-dev'], stackName: 'Weinkontor-dev-Front' })
  expect([byDomain, byCertificate].map(({ outside }) => outside.terminationProtection)).toEqual([false, true])
})

describe('the options of the edge', () => {
  const around = { domain: { name, hostedZone }, baseUrl: undefined, region: 'eu-central-1' }

  test('are an edge or none', () => {
    expect(frontOf({ front: 'on' }, around)).toEqual({ rate: 200_000, key: 1, region: 'eu-central-1' })
    expect(frontOf({ front: 'on', frontRate: '10', frontKey: '9999' }, around)).toMatchObject({ rate: 10, key: 9999 })
    for (const front of [undefined, 'off'])
      expect(frontOf({ front }, { domain: undefined, baseUrl: undefined, region: undefined })).toBeUndefined()
    for (const front of ['', 'yes', 'On', 'true', '1']) expect(() => frontOf({ front }, around)).toThrow('on or off')
  })

  test('need a public name, and the region of the service', () => {
    expect(() => frontOf({ front: 'on' }, { ...around, domain: undefined })).toThrow('needs the name that leads to it')
    expect(frontOf({ front: 'on' }, { ...around, domain: undefined, baseUrl: `https://${name}` })).toBeDefined()
    for (const region of [undefined, ''])
      expect(() => frontOf({ front: 'on' }, { ...around, region })).toThrow('AWS_REGION')
  })

  test('need a certificate that CloudFront can use', () => {
    const elsewhere = certificate.replace('us-east-1', 'eu-central-1')
    expect(frontOf({ front: 'on' }, { ...around, domain: { name, certificate } })).toBeDefined()
    const asked = () => frontOf({ front: 'on' }, { ...around, domain: { name, certificate: elsewhere } })
    expect(asked).toThrow('the certificate of a front must be one in us-east-1')
  })

  test('have numbers that AWS accepts, and none without an edge', () => {
    for (const frontRate of ['9', '2000000001', '1e3', '-1', '10.5', '', 'many'])
      expect(() => frontOf({ front: 'on', frontRate }, around)).toThrow('frontRate must be a whole number from 10')
    for (const frontKey of ['0', '10000', 'x'])
      expect(() => frontOf({ front: 'on', frontKey }, around)).toThrow('frontKey must be a whole number from 1')
    for (const texts of [{ frontRate: '1000' }, { front: 'off', frontKey: '2' }])
      expect(() => frontOf(texts, around)).toThrow('say -c front=on')
  })
})
