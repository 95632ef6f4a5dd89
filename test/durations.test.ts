/** A duration needs a unit: `--for 30` could mean seconds, minutes or days. */
import { expect } from 'vitest'
import { globalFlags } from '../src/engine/flags'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

const lines = commands.flatMap(({ path, command: { flags } }) =>
  [...flags, ...globalFlags]
    .filter(({ name, value }) => value === 'time' && samples[path] && !samples[path].line.includes(`--${name}`))
    .filter(({ name }) => path === 'volumes view' || !globalFlags.some((flag) => flag.name === name))
    .map(({ name }) => ({ path, name })),
)

test('every flag for a duration is tested', () => {
  const names = new Set(lines.map(({ name }) => name))
  expect([...names].sort()).toEqual([
    'confirm-within',
    'expiring',
    'expiry',
    'keep-old',
    'max-wait',
    'timeout',
    'wait-timeout',
  ])
})

test.for([...lines, { path: 'firewalls open', name: 'for' }])(
  '$path --$name 30 is rejected with possible units, and changes nothing',
  async ({ path, name }, { clock, sandbox, world, home, env, skyctl }) => {
    const { line = '', arrange, stdin } = samples[path] ?? {}
    await arrange?.({ clock, sandbox, world, home, env, skyctl })
    const before = world.requests().length
    const words = line.replace(' --for 1h', '')
    const { exit, stderr } = await skyctl(`${path} ${words} --${name} 30`, { stdin })
    const changes = world
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET')
    expect({ exit, changes }).toEqual({ exit: 2, changes: [] })
    expect(stderr).toMatch(/^skyctl: --[a-z-]+: "30" (has no unit\. Write|must have a unit:) 30s, 30m, 30h or 30d\n$/)
  },
)
