import { Duration, type Stack } from 'aws-cdk-lib'
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CachedMethods,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  FunctionEventType,
  type IOrigin,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { viewerHeader } from '../../../shared/http/request.ts'
import { languageFunction } from './language.ts'
import { countingRoutes, keptRoutes, keyHeaders, patternOf, translatedRoutes } from './routes.ts'

/** The API as CloudFront's origin: without the edge's key, and with it. */
export type Origins = { plain: IOrigin; keyed: IOrigin }

// Plain http is refused, as by the API itself: a redirect would come after credentials were sent unencrypted. The functions
// compress their answers themselves.
const common = {
  allowedMethods: AllowedMethods.ALLOW_ALL,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  compress: false,
}

/** All other paths: nothing is cached, and the API receives the caller's request unchanged. */
export const otherBehavior = ({ plain }: Origins): BehaviorOptions => ({
  ...common,
  origin: plain,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
})

type Keyed = {
  name: string
  query: CacheQueryStringBehavior
  headers: readonly string[]
  /** Headers that reach the function without being a part of the cache's key. */
  passed: string
}

/**
 * Public responses are cached for as long as their Cache-Control allows, and not at all without it. No credential,
 * cookie or X-Request-Id reaches the function: a cached response must not depend on the first caller.
 */
const cachedBehavior = (
  stack: Stack,
  { plain }: Origins,
  { name, query, headers, passed }: Keyed,
): BehaviorOptions => ({
  ...common,
  origin: plain,
  cachedMethods: CachedMethods.CACHE_GET_HEAD,
  cachePolicy: new CachePolicy(stack, name, {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    queryStringBehavior: query,
    cookieBehavior: CacheCookieBehavior.none(),
    headerBehavior: headers.length > 0 ? CacheHeaderBehavior.allowList(...headers) : CacheHeaderBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  }),
  originRequestPolicy: new OriginRequestPolicy(stack, `${name}Headers`, {
    headerBehavior: OriginRequestHeaderBehavior.allowList(passed),
  }),
})

const keptBehavior = (stack: Stack, origins: Origins): BehaviorOptions =>
  cachedBehavior(stack, origins, {
    name: 'Kept',
    query: CacheQueryStringBehavior.all(),
    headers: keyHeaders(keptRoutes.filter(route => !translatedRoutes.includes(route))),
    // For POST, which is never cached.
    passed: 'content-type',
  })

/** Pages in the caller's language, which a function turns into `lang`: the only part of a request beside the path. */
const translatedBehavior = (stack: Stack, origins: Origins): BehaviorOptions => ({
  ...cachedBehavior(stack, origins, {
    name: 'Translated',
    query: CacheQueryStringBehavior.allowList('lang'),
    headers: [],
    // It changes refusals only, which are not cached.
    passed: 'accept',
  }),
  functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: languageFunction(stack) }],
})

/**
 * Routes that limit by address receive the caller's address from CloudFront, and the key that proves its origin. Their
 * headers are listed singly: CloudFront replaces the value of a listed header of its own, while "all headers" might
 * pass a forged value. For the same reason no other path has the key.
 */
const countingBehavior = (stack: Stack, { keyed }: Origins): BehaviorOptions => ({
  ...common,
  origin: keyed,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: new OriginRequestPolicy(stack, 'CountingHeaders', {
    headerBehavior: OriginRequestHeaderBehavior.allowList('content-type', 'x-request-id', viewerHeader),
  }),
})

/** CloudFront's behaviors for paths that differ from the default behavior, by pattern. */
export const behaviors = (stack: Stack, origins: Origins): Record<string, BehaviorOptions> => {
  const kept = keptBehavior(stack, origins)
  const translated = translatedBehavior(stack, origins)
  const counting = countingBehavior(stack, origins)
  return Object.fromEntries([
    ...countingRoutes.map(route => [patternOf(route), counting] as const),
    ...keptRoutes.map(route => [patternOf(route), translatedRoutes.includes(route) ? translated : kept] as const),
  ])
}
