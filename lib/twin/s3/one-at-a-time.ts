/** A queue for each name: a task starts when the earlier tasks of the same name have ended, well or badly. */
export const oneAtATime = (): (<T>(name: string, task: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>()
  return (name, task) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(task, task)
    last.set(name, turn)
    const forget = () => {
      if (last.get(name) === turn) last.delete(name)
    }
    turn.then(forget, forget)
    return turn
  }
}
