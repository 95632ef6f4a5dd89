/** Prompt that assigns a level to each of several items, such as none, read or write. */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core'
import { keysLine, type Theme } from './style'

interface LevelsQuestion {
  message: string
  things: readonly string[]
  /** Levels in ascending order; all items start with the first. */
  levels: readonly string[]
  check: (levels: ReadonlyMap<string, string>) => true | string
  theme: Theme
}

const changing = [
  ['space', 'changes'],
  ['a', 'changes all'],
] as const

const hideCursor = '\x1b[?25l'

export const levelsPrompt = createPrompt<Map<string, string>, LevelsQuestion>((question, done) => {
  const { message, things, levels, check } = question
  const theme = makeTheme(question.theme)
  const [status, setStatus] = useState('idle')
  const [active, setActive] = useState(0)
  const [chosen, setChosen] = useState<readonly number[]>(things.map(() => 0))
  const [fault, setFault] = useState<string | undefined>(undefined)
  const prefix = usePrefix({ status, theme })
  const answer = () => new Map(things.map((thing, index) => [thing, levels[chosen[index] ?? 0] ?? '']))
  const raise = (steps: number, which: (index: number) => boolean) =>
    setChosen(chosen.map((level, index) => (which(index) ? (level + steps + levels.length) % levels.length : level)))

  useKeypress((key) => {
    if (status === 'done') return
    setFault(undefined)
    if (isUpKey(key)) setActive((active + things.length - 1) % things.length)
    else if (isDownKey(key)) setActive((active + 1) % things.length)
    else if (isSpaceKey(key) || key.name === 'right') raise(1, (index) => index === active)
    else if (key.name === 'left') raise(-1, (index) => index === active)
    else if (key.name === 'a') setChosen(chosen.map(() => ((chosen[active] ?? 0) + 1) % levels.length))
    else if (isEnterKey(key)) {
      const verdict = check(answer())
      if (verdict !== true) return setFault(verdict)
      setStatus('done')
      done(answer())
    }
  })

  const wide = Math.max(...things.map((thing) => thing.length))
  const page = usePagination({
    items: things,
    active,
    pageSize: 16,
    loop: false,
    renderItem({ item, index, isActive }) {
      const line = `${isActive ? theme.icon.cursor : ' '} ${item.padEnd(wide)}  ${levels[chosen[index] ?? 0]}`
      return isActive ? theme.style.highlight(line) : line
    },
  })
  const head = `${prefix} ${theme.style.message(message, status)}`
  if (status === 'done') return `${head} ${theme.style.answer(`${chosen.filter((level) => level > 0).length} chosen`)}`
  return [[head, page, ' ', keysLine(changing)].join('\n') + hideCursor, fault && theme.style.error(fault)]
})
