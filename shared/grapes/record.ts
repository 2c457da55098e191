/** A grape variety, as wines name it by its id. */
export type Grape = { id: number; name: string }
