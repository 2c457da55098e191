import { Duration } from 'aws-cdk-lib'
import { Archive, EventBus } from 'aws-cdk-lib/aws-events'
import type { Construct } from 'constructs'
import { eventSource } from '../../shared/contract/events.ts'

// The longest downtime of a subscribed system.
const archived = Duration.days(90)

/** The bus to which the merchants' other systems subscribe by rules of their own, with an archive for replays. */
export const eventBus = (scope: Construct): EventBus => {
  const bus = new EventBus(scope, 'Events')
  new Archive(scope, 'EventArchive', {
    sourceEventBus: bus,
    eventPattern: { source: [eventSource] },
    retention: archived,
  })
  return bus
}
