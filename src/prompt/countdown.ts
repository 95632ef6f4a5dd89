/** Questions with a countdown: yes or no, and a code with limited validity. */

import { styleText } from 'node:util'
import { createPrompt, isEnterKey, makeTheme, useEffect, useKeypress, usePrefix, useState } from '@inquirer/core'
import { marksFor, type Theme } from './style'

/** Returns the remaining time, such as `9:41`; called every second. */
export type Left = () => string

/** Formats the countdown; empty without a time limit. */
function useRemaining(left: Left | undefined, { style: { help } }: Theme): string {
  const [remaining, setRemaining] = useState(left?.())
  useEffect(() => {
    const timer = left && setInterval(() => setRemaining(left()), 1000)
    return () => clearInterval(timer)
  }, [])
  return remaining === undefined ? '' : ` ${help(`(${remaining})`)}`
}

interface YesOrNo {
  message: string
  left?: Left | undefined
  theme: Theme
  unicode: boolean
}

export const isYes = (answer: string) => /^y(es)?$/i.test(answer.trim())

/** Asks yes or no. Any other answer, or none, means no. */
export const confirmPrompt = createPrompt<boolean, YesOrNo>(({ message, left, theme: baseTheme, unicode }, done) => {
  const theme = makeTheme(baseTheme)
  const [status, setStatus] = useState('idle')
  const [value, setValue] = useState('')
  const prefix = usePrefix({ status, theme })
  const remaining = useRemaining(left, baseTheme)
  useKeypress((key, line) => {
    if (status === 'done') return
    if (!isEnterKey(key)) {
      setValue(line.line)
      return
    }
    setStatus('done')
    done(isYes(value))
  })
  const question = theme.style.message(message, status)
  if (status !== 'done') return `${prefix} ${question}${remaining} ${theme.style.defaultAnswer('y/N')} ${value}`
  const mark = isYes(value) ? prefix : styleText('red', marksFor(unicode).declined)
  return `${mark} ${question} ${theme.style.answer(isYes(value) ? 'Yes' : 'No')}`
})

interface CodeQuestion {
  message: string
  left: Left
  check: (text: string) => true | string
  theme: Theme
}

/** Asks for a code with limited validity. */
export const codePrompt = createPrompt<string, CodeQuestion>(({ message, left, check, theme: baseTheme }, done) => {
  const theme = makeTheme(baseTheme)
  const [status, setStatus] = useState('idle')
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<string | undefined>(undefined)
  const prefix = usePrefix({ status, theme })
  const remaining = useRemaining(left, baseTheme)
  useKeypress((key, line) => {
    if (status === 'done') return
    if (!isEnterKey(key)) {
      setValue(line.line)
      setFault(undefined)
      return
    }
    const verdict = check(value)
    if (verdict === true) {
      setStatus('done')
      done(value)
      return
    }
    // Readline has cleared its line; the input is restored for correction.
    line.write(value)
    setFault(verdict)
  })
  const question = theme.style.message(message, status)
  if (status === 'done') return `${prefix} ${question} ${theme.style.answer(value)}`
  return [`${prefix} ${question}${remaining} ${value}`, fault && theme.style.error(fault)]
})
