/** Defers warnings about files until the code that found them, which cannot wait for output, has finished. */
import type { Warn } from './ownership'

/** Does the work, and then prints its warnings, also after a failure. */
export async function deferWarnings<T>(
  reporter: { warn(text: string): Promise<void> },
  work: (tell: Warn) => T | Promise<T>,
): Promise<T> {
  const messages: string[] = []
  try {
    return await work((message) => messages.push(message))
  } finally {
    for (const message of messages) await reporter.warn(message)
  }
}
