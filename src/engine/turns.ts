/** Does what has the same name one after the other, in the order of the calls; what has none, at once. */
export function takeTurns(): <T>(name: string | undefined, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    if (name === undefined) return work()
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(name, mine)
    return mine
  }
}
