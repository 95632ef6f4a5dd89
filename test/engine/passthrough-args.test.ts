/** Passthrough commands, which must follow `--`. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import type { Argument } from '../../src/engine/command'
import { expectPassthrough } from '../../src/engine/passthrough'

const definitions: readonly Argument[] = [
  { name: 'firewall', description: '' },
  { name: 'command', description: '', many: true, passthrough: true },
]

const parserWith = (words: string) => Object.assign(new Command(), { args: words.split(' ') })

test.for([
  ['', ''],
  ['edge', 'edge'],
  ['edge', 'edge --'],
  ['edge ssh host', 'edge -- ssh host'],
  ['edge ssh', 'firewalls open edge --yes -- ssh'],
  ['edge ssh -- x', 'edge -- ssh -- x'],
  ['edge ssh', '-- edge ssh'],
  ['edge ssh', '-- firewalls open edge ssh'],
] as const)('The arguments "%s" of the line "%s" are accepted', ([words, line]) => {
  expect(() => expectPassthrough(definitions, parserWith(words), line.split(' '))).not.toThrow()
})

test.for([
  ['edge ssh', 'edge ssh', 'ssh'],
  ['edge ssh', 'edge ssh --', 'ssh'],
  ['edge ssh host', 'edge ssh -- host', 'ssh'],
] as const)('The arguments "%s" of the line "%s" are rejected because of one before --: %s', ([words, line, early]) => {
  expect(() => expectPassthrough(definitions, parserWith(words), line.split(' '))).toThrow(
    expect.objectContaining({ word: early }),
  )
})

test('Arguments need no -- if the command has no passthrough', () => {
  expect(() => expectPassthrough(definitions.slice(0, 1), parserWith('edge ssh'), ['edge', 'ssh'])).not.toThrow()
})
