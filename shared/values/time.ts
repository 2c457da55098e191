/** A moment as the interface writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = (moment: number | Date): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Unix seconds of a moment in milliseconds, as DynamoDB's TTL wants them. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Milliseconds of a timestamp of the interface. */
export const parseTimestamp = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
