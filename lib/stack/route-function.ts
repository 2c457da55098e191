import type { Construct } from 'constructs'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { sessionCheck } from '../../shared/contract/sign-in.ts'
import { touchesIn } from './rights.ts'
import { ServiceFunction, type Surroundings } from './service-function.ts'

/** The Lambda of one route. Service routes also check sessions. */
export const routeFunction = (scope: Construct, surroundings: Surroundings, route: Route): ServiceFunction =>
  new ServiceFunction(scope, surroundings, {
    name: fileOf(route),
    description: `${route.path}: ${route.says}`,
    touches: [...touchesIn(route.touches), ...(route.level === 'service' ? touchesIn(sessionCheck) : [])],
    files: route.files,
    secrets: route.secrets ?? false,
    timeout: route.timeout ?? 15,
    memory: route.memory ?? 512,
  })
