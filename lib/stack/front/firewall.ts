import type { Stack } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { defaults } from '../../../shared/merchants/quotas.ts'
import type { Front } from './options.ts'
import { countingRoutes, keptRoutes, patternOf } from './routes.ts'

type Rule = CfnWebACL.RuleProperty

/**
 * GET requests to public routes from one address in five minutes. Browsers send these, so an address is a household or an
 * office. Labels are left out: shops' servers read them.
 */
const publicReadRate = 5000

/**
 * Sign-ins from one address in five minutes. A right credential must always pass, but AWS WAF cannot distinguish it from a
 * wrong credential; so the limit is above a merchant's quota of sessions, which has windows of ten minutes
 * (shared/merchants/quotas.ts), and which a shop that signs in once a visitor may use up immediately. The purpose is not to
 * prevent guessing (the service refuses an address after 20 wrong credentials in a quarter of an hour) but the cost of a
 * flood of requests. Raise this and the general rate with the quotas.
 */
export const signInRate = (rate: number): number =>
  Math.max(Math.ceil(defaults.sessions / 72 / 10_000) * 10_000, Math.floor(rate * 0.15))

// Request samples would contain credentials, so they are off.
const visibilityOf = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
})

/** The response above a limit, in the contract's shape, but without a request id, since no function ran. */
const tooFast = {
  info: 'error',
  code: 429,
  error: 'quota_exceeded',
  details: 'Too many requests came from your address. Repeat the request later.',
}

const refusal: CfnWebACL.CustomResponseProperty = {
  responseCode: 429,
  customResponseBodyKey: 'TooFast',
  responseHeaders: [
    { name: 'retry-after', value: '60' },
    { name: 'cache-control', value: 'no-store' },
  ],
}

const rateRule = (
  name: string,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): Omit<Rule, 'priority'> => ({
  name,
  action: { block: { customResponse: refusal } },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      evaluationWindowSec: 300,
      limit,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  },
  visibilityConfig: visibilityOf(name),
})

const onPath = (regexString: string): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
})

const onSignIn = (): CfnWebACL.StatementProperty => onPath(`^(${countingRoutes.map(({ path }) => path).join('|')})$`)

const publicPaths = keptRoutes
  .map(patternOf)
  .filter(path => !path.startsWith('/localization/'))
  .map(path => path.replaceAll('.', '\\.').replace('*', '.*'))

const onPublicRead = (): CfnWebACL.StatementProperty => ({
  andStatement: {
    statements: [
      {
        byteMatchStatement: {
          fieldToMatch: { method: {} },
          searchString: 'GET',
          positionalConstraint: 'EXACTLY',
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      },
      onPath(`^(${publicPaths.join('|')})$`),
    ],
  },
})

/** Managed rules of AWS; those that only count block nothing. */
const managedRule = (name: string, counted: readonly string[] = []): Omit<Rule, 'priority'> => ({
  name,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name: `AWSManagedRules${name}`,
      ruleActionOverrides: counted.map(one => ({ name: one, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visibilityOf(name),
})

// Legitimate requests match these rules: orders and wines of up to 256 KB; a filter as JSON in a query string; merchants'
// texts with tags, paths and links, which are never shown unescaped; no User-Agent, as in requests of PHP.
const countedCommonRules = [
  'SizeRestrictions_BODY',
  'SizeRestrictions_QUERYSTRING',
  'NoUserAgent_HEADER',
  'CrossSiteScripting_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'GenericRFI_QUERYARGUMENTS',
]

/**
 * The web ACL of the edge. It lacks AWS's rules on anonymous addresses, which would block shops: servers at hosting
 * providers.
 */
export const firewall = (stack: Stack, { rate }: Front): CfnWebACL => {
  const rules = [
    rateRule('Requests', rate),
    rateRule('SignIns', signInRate(rate), onSignIn()),
    rateRule('PublicReads', publicReadRate, onPublicRead()),
    managedRule('AmazonIpReputationList'),
    managedRule('KnownBadInputsRuleSet'),
    managedRule('CommonRuleSet', countedCommonRules),
  ]
  return new CfnWebACL(stack, 'Firewall', {
    description: stack.stackName,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityOf('All'),
    customResponseBodies: { TooFast: { contentType: 'APPLICATION_JSON', content: JSON.stringify(tooFast) } },
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  })
}
