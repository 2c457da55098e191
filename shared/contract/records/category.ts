import * as v from 'valibot'

/** A group of wines, as it is stored and shown; wines name it by its id, files by its name. */
export const Category = v.strictObject({ id: v.number(), name: v.string(), path_segment: v.string() })
export type Category = v.InferOutput<typeof Category>
