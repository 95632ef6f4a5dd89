/** Countdown behind a question. */
import { useEffect, useState } from '@inquirer/core'
import type { Theme } from './style'

/** Returns the remaining time, such as `9:41`; called every second. */
export type Left = () => string

/** Formats the countdown; empty without a time limit. */
export function useRemaining(left: Left | undefined, { style: { help } }: Theme): string {
  const [remaining, setRemaining] = useState(left?.())
  useEffect(() => {
    const timer = left && setInterval(() => setRemaining(left()), 1000)
    return () => clearInterval(timer)
  }, [])
  return remaining === undefined ? '' : ` ${help(`(${remaining})`)}`
}
