/** What is left of the time in which a question can be answered: it is shown behind the question, and counts. */
import { useEffect, useState } from '@inquirer/core'
import type { Theme } from './style'

/** What is left, such as `9:41`; asked every second. */
export type Left = () => string

/** Nothing where a question has all the time there is. */
export function useRemaining(left: Left | undefined, { style: { help } }: Theme): string {
  const [remaining, setRemaining] = useState(left?.())
  useEffect(() => {
    const timer = left && setInterval(() => setRemaining(left()), 1000)
    return () => clearInterval(timer)
  }, [])
  return remaining === undefined ? '' : ` ${help(`(${remaining})`)}`
}
