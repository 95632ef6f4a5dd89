/** Prompt for a code with limited validity, with a countdown. */
import { createPrompt, isEnterKey, makeTheme, useKeypress, usePrefix, useState } from '@inquirer/core'
import { type Left, useRemaining } from './remaining'
import type { Theme } from './style'

interface CodeQuestion {
  message: string
  left: Left
  check: (text: string) => true | string
  theme: Theme
}

export const codePrompt = createPrompt<string, CodeQuestion>(({ message, left, check, theme: given }, done) => {
  const theme = makeTheme(given)
  const [status, setStatus] = useState('idle')
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<string | undefined>(undefined)
  const prefix = usePrefix({ status, theme })
  const remaining = useRemaining(left, given)
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
