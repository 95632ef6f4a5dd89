/** A prompt for a code that is valid for a while; what is left of the time is shown, and counts. */
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
    // Readline has emptied its line; what was typed stays to be mended.
    line.write(value)
    setFault(verdict)
  })
  const question = theme.style.message(message, status)
  if (status === 'done') return `${prefix} ${question} ${theme.style.answer(value)}`
  return [`${prefix} ${question}${remaining} ${value}`, fault && theme.style.error(fault)]
})
