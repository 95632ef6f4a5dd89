/** Yes/no prompt. Any other answer, or none, means no. */
import { styleText } from 'node:util'
import { createPrompt, isEnterKey, makeTheme, useKeypress, usePrefix, useState } from '@inquirer/core'
import { type Left, useRemaining } from './remaining'
import { marksFor, type Theme } from './style'

interface YesOrNo {
  message: string
  left?: Left | undefined
  theme: Theme
  unicode: boolean
}

export const isYes = (typed: string) => /^y(es)?$/i.test(typed.trim())

export const confirmPrompt = createPrompt<boolean, YesOrNo>(({ message, left, theme: given, unicode }, done) => {
  const theme = makeTheme(given)
  const [status, setStatus] = useState('idle')
  const [value, setValue] = useState('')
  const prefix = usePrefix({ status, theme })
  const remaining = useRemaining(left, given)
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
