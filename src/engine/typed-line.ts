/** Proposes command lines that repeat what a user typed, unless it may have a secret. */
import type { Command as Parser } from 'commander'
import { secretKeys } from '../rules/secrets'
import { isPrivateKey } from '../rules/ssh-keys'
import { shellWord } from '../rules/texts'
import type { Outline, Root } from './command'
import { pathOf } from './help'

/** A command line, word by word, and the program that it is for. */
export interface TypedLine {
  argv: readonly string[]
  program: Root
}

/** Longer lines are not repeated: nobody finds the correction in them. */
const longest = 300

/** Returns the line that these words are; undefined if it may have a secret, or is too long. */
export function proposedLine(words: readonly string[]): string | undefined {
  if (words.some((word) => mayHoldSecret(word))) return undefined
  const line = ['skyctl', ...words].map(shellWord).join(' ')
  return line.length > longest ? undefined : line
}

function mayHoldSecret(word: string): boolean {
  if (isPrivateKey(word) || /\/\/[^/]*@/.test(word)) return true
  return word.startsWith('-') && isSecretFlag(flagNameOf(word))
}

/** Returns the name of a flag as typed: `tfa-code` for `--tfa_code=123`, and `n` for `-n5`. */
export function flagNameOf(word: string): string {
  const [, long, short = ''] = /^(?:--([^=]*)|-(.))/s.exec(word) ?? []
  return long === undefined ? short : long.replaceAll('_', '-').toLowerCase()
}

const secretNames = /^(pass|passwd|pwd|passphrase|credentials?|auth|bearer|pat|(api|access)-?key)$/

/** Flags whose values may have a token within. */
const carriers = ['header', 'token-command', 'keep-if']

export function isSecretFlag(name: string): boolean {
  return secretKeys.test(name.replaceAll('-', '_')) || secretNames.test(name) || carriers.includes(name)
}

/** Returns the entries of a group, or of the root. */
export function entriesAt(group: Parser, program: Root): readonly Outline[] {
  const [, ...names] = pathOf(group).split(' ')
  return names.reduce<readonly Outline[]>(
    (entries, name) => entries.find((entry) => entry.name === name)?.commands ?? [],
    program.entries,
  )
}
