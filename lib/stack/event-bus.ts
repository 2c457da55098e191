import { Duration } from 'aws-cdk-lib'
import { Archive, EventBus } from 'aws-cdk-lib/aws-events'
import type { Construct } from 'constructs'
import { eventSource } from '../../shared/contract/events.ts'

// As long as a system that follows may be away.
const archived = Duration.days(90)

/** The bus that the merchants' other systems follow by rules of their own, and an archive from which it is played again. */
export const eventBus = (scope: Construct): EventBus => {
  const bus = new EventBus(scope, 'Events')
  new Archive(scope, 'EventArchive', {
    sourceEventBus: bus,
    eventPattern: { source: [eventSource] },
    retention: archived,
  })
  return bus
}
