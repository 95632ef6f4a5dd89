/** Hint for `-` in a line of a command that takes no target. */
import { SpelledOption } from '../spelled-option'
import { type Rule, replaceWords, type WrongLine } from './hint'

/** `profile sshkeys add --label priv - < key.pub`: stdin is the file of a flag. */
export const stdinHint: Rule<WrongLine & { words: readonly string[] }> = ({ words, parser, argv }) => {
  if (words.join(' ') !== '-' || parser.registeredArguments.length > 0) return undefined
  const readers = parser.options.filter((one) => one instanceof SpelledOption && one.description.includes('is stdin'))
  const forFiles = readers.filter(({ flags }) => flags.endsWith('<file>')).map(({ long }) => String(long))
  // A command's own file is not the body of its request.
  const names = forFiles.includes('--file') ? ['--file'] : forFiles
  const [name, ...others] = names
  if (name === undefined) return undefined
  const text = `To read stdin: ${names.map((one) => `${one} -`).join(' or ')}`
  const values = parser.opts()
  const isFree = readers.every((one) => values[one.attributeName()] === undefined)
  return { text, ...(isFree && others.length === 0 && { argv: replaceWords(argv, words, [name, '-']) }) }
}
