import type { Stack } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { defaults } from '../../../shared/merchants/quotas.ts'
import type { Front } from './options.ts'
import { countingRoutes, keptRoutes, patternOf } from './routes.ts'

type Rule = CfnWebACL.RuleProperty

/**
 * GET requests to public routes from one address in five minutes. Browsers send these, so that one address is a household
 * or an office. Labels are left out: shops' servers read them.
 */
const publicReadRate = 5000

/**
 * Sign-ins that one address may try in five minutes. Our own rule is that a right credential always passes, but AWS WAF
 * cannot tell a right one from a wrong one; so the limit is above what a merchant may open at all: its quota is counted in
 * windows of ten minutes (shared/merchants/quotas.ts), all of which a shop that signs in once a visitor may use up at once.
 * Guessing is not what this is against: wrong credentials of an address are refused after 20 in a quarter of an hour. It
 * keeps a flood of them from being paid for, request by request. Who raises quotas raises the general rate, and this.
 */
export const signInRate = (rate: number): number =>
  Math.max(Math.ceil(defaults.sessions / 72 / 10_000) * 10_000, Math.floor(rate * 0.15))

// Request samples would show credentials, so there are none.
const measured = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
})

/** The answer to who is too fast, in the contract's shape, but without a request id: no function has seen the request. */
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
  visibilityConfig: measured(name),
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

/** Rules that AWS keeps up to date; those that are counted only stop nothing. */
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
  visibilityConfig: measured(name),
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
 * The web ACL of the front. Not among the rules: those on anonymous addresses, which stop servers at hosting providers,
 * and shops are such.
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
    visibilityConfig: measured('All'),
    customResponseBodies: { TooFast: { contentType: 'APPLICATION_JSON', content: JSON.stringify(tooFast) } },
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  })
}
