import type { Construct } from 'constructs'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { permissionsOf } from '../../shared/contract/routes/sign-in.ts'
import { countingRoutes } from './front/routes.ts'
import { permissionPairs } from './rights.ts'
import { type ServiceContext, ServiceFunction } from './service-function.ts'

/** The Lambda of one route. Service routes also check sessions, some those of clients. */
export const routeFunction = (scope: Construct, context: ServiceContext, route: Route): ServiceFunction =>
  new ServiceFunction(scope, context, {
    name: fileOf(route),
    description: `${route.path}: ${route.summary}`,
    permissions: permissionsOf(route).flatMap(permissionPairs),
    files: route.files,
    secrets: route.secrets ?? false,
    timeout: route.timeout ?? 15,
    memory: route.memory ?? 512,
    counts: countingRoutes.includes(route),
  })
