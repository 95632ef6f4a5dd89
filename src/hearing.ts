/** For work that repairs and tells while it goes on: what it has to say is kept until it can be written. */
export async function hearing<T>(
  work: (warn: (text: string) => void) => T | Promise<T>,
  warn: (text: string) => Promise<void>,
): Promise<T> {
  const heard: string[] = []
  try {
    return await work((text) => heard.push(text))
  } finally {
    for (const text of heard) await warn(text)
  }
}
