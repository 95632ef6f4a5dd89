/** Runs work with the same name in sequence, in the order of the calls; work without a name at once. */
export function serializeByKey(): <T>(name: string | undefined, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    if (name === undefined) return work()
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(name, mine)
    return mine
  }
}
