/**
 * In which encoding, of some, a caller wants an answer (RFC 9110, 12.5.3); undefined for none. Of those it likes alike,
 * the first.
 */
export const encodingFor = <Name extends string>(
  acceptEncoding: string | undefined,
  among: readonly Name[],
): Name | undefined => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(one => {
      const [name = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (name: Name): number => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = among.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best && weightOf(best) > 0 ? best : undefined
}
