/** A command that is to be run stands behind `--`, and nothing before it is taken for one. */
import { expect, test } from 'vitest'
import type { Argument } from '../../src/engine/command'
import { expectPassthrough } from '../../src/engine/usage-messages'

const known: readonly Argument[] = [
  { name: 'firewall', description: '' },
  { name: 'command', description: '', many: true, passthrough: true },
]

test.for([
  ['', ''],
  ['edge', 'edge'],
  ['edge', 'edge --'],
  ['edge ssh host', 'edge -- ssh host'],
  ['edge ssh', 'firewalls open edge --yes -- ssh'],
  ['edge ssh -- x', 'edge -- ssh -- x'],
  ['edge ssh', '-- edge ssh'],
  ['edge ssh', '-- firewalls open edge ssh'],
] as const)('the words "%s" of "%s" are as they should be', ([given, typed]) => {
  expect(() => expectPassthrough(known, given.split(' '), typed.split(' '))).not.toThrow()
})

test.for([
  ['edge ssh', 'edge ssh', 'ssh'],
  ['edge ssh', 'edge ssh --', 'ssh'],
  ['edge ssh host', 'edge ssh -- host', 'ssh'],
] as const)('of the words "%s" of "%s" one is too early: %s', ([given, typed, early]) => {
  expect(() => expectPassthrough(known, given.split(' '), typed.split(' '))).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `unexpected argument "${early}"`,
      details: { hint: `Put the command after --: -- ${early}` },
    }),
  )
})

test('no words need to stand there where a command takes none behind them', () => {
  expect(() => expectPassthrough(known.slice(0, 1), ['edge', 'ssh'], ['edge', 'ssh'])).not.toThrow()
})
