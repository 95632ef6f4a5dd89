/** Prompts in a terminal. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { interruptAfter, step, walk } from '../flows/steps'
import { rule, ruleSet } from '../support/firewall-rules'
import { lossyProxy } from '../support/lossy-proxy'
import { keys, test } from '../support/terminal'

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const { enter, ctrlC, ctrlD } = keys

describe('auth login', () => {
  test.for([40, 80])(
    'asks for address, token and name without showing the token: %i columns',
    async (columns, { terminal, sandbox, env }) => {
      const { ownerToken, baseUrl } = sandbox
      const { until, type, raw, end } = terminal('auth login', { env: signedOut, columns, isProcess: true })
      await until('? Base URL')
      type(baseUrl + enter)
      await until('? Token')
      for (const key of ownerToken) type(key)
      type(enter)
      await until('? Name of the context (owner)')
      type(`prod${enter}`)
      const { exit, screen } = await end
      expect(exit).toBe(0)
      expect(screen.join(' ').replaceAll(/ \\\s+/g, ' ')).toBe(
        'The base URL is the address of the API with its version, such as https://api.example.net/v4 ' +
          `✔ Base URL ${baseUrl} ✔ Token  ✔ Name of the context prod Signed in as owner; context "prod" is now current ` +
          `Next time: skyctl auth login --context prod --base-url ${baseUrl} --with-token < FILE`,
      )
      for (let start = 0; start + 8 <= ownerToken.length; start += 1) {
        expect(raw()).not.toContain(ownerToken.slice(start, start + 8))
      }
      const file = join(env.SKYCTL_CONFIG_DIR ?? '', 'contexts.json')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toContain(ownerToken)
    },
  )

  test('repeats the question after an invalid address or token', async ({ terminal, sandbox }) => {
    const { until, type, end, raw } = terminal('auth login', { env: signedOut })
    await until('? Base URL')
    type(`http://api.example.net/v4${enter}`)
    await until('> the base URL must begin with https://')
    type(`${keys.clear}${sandbox.baseUrl}${enter}`)
    await until('? Token')
    type(`pässword${enter}`)
    await until(/> the token holds a character that no token has[^?]*\? Token/)
    expect(raw()).not.toMatch(/ssword/)
    type(`${sandbox.ownerToken}${enter}`)
    await until('? Name')
    type(enter)
    expect(await end).toMatchObject({ exit: 0 })
    expect(sandbox.world.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /regions?page=1',
      'GET /profile',
    ])
  })
})

test('A question names the account if there are several, but not for local commands', async ({
  terminal,
  sandbox,
  shell,
}) => {
  for (const name of ['one', 'two']) {
    await shell(`skyctl auth login --context ${name} --base-url "$SKYCTL_BASE_URL" --with-token`, {
      stdin: sandbox.ownerToken,
    })
  }
  const { id } = sandbox.world.volume({ label: 'data' })
  for (const [line, question] of [
    [`volumes delete data --context one`, `[one] The data will be lost for ever. Delete volume "data" (${id})`],
    ['profile phone delete', '[two] '],
    ['context delete one', 'Its token will be deleted, too. Delete the context "one"'],
  ]) {
    const { until, type, end } = terminal(line ?? '', { env: signedOut, columns: 140 })
    await until(`? ${question}`)
    type(enter)
    await end
  }
})

describe('Ctrl-C in auth login', () => {
  test.for(['? Base URL', '? Token', '? Name of the context (owner-2)', '? Replace the context "owner"? (y/N)'])(
    'saves nothing: at "%s"',
    async (prompt, { shellTerminal, shell, sandbox, env }) => {
      const file = join(env.SKYCTL_CONFIG_DIR ?? '', 'contexts.json')
      await shell('skyctl auth login --base-url "$SKYCTL_BASE_URL" --with-token', { stdin: sandbox.ownerToken })
      const before = readFileSync(file, 'utf8')
      const steps = [
        step('? Base URL', sandbox.baseUrl + enter),
        step('? Token', sandbox.ownerToken + enter),
        step('? Name of the context (owner-2)', `owner${enter}`),
        step('? Replace the context "owner"? (y/N)'),
      ]
      const line = 'env -u SKYCTL_TOKEN -u SKYCTL_BASE_URL skyctl auth login'
      const path = steps.slice(0, 1 + steps.findIndex((one) => one.prompt === prompt))
      const { exit, screen } = await interruptAfter(shellTerminal, line, path)
      expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
      expect(readFileSync(file, 'utf8')).toBe(before)
    },
  )
})

describe('A confirmation', () => {
  const question = '? The data will be lost for ever. Delete volume "data-2" (3002)? (y/N)'

  test('shows label, id and consequence', async ({ terminal }) => {
    const wide = terminal('volumes delete data-2')
    expect(await wide.until('(y/N)')).toEqual([question])
    const narrow = terminal('volumes delete data-2', { columns: 40 })
    expect(await narrow.until('(y/N)')).toEqual([
      '? The data will be lost for ever.',
      'Delete volume "data-2" (3002)? (y/N)',
    ])
  })

  test('is "y"', async ({ terminal, world }) => {
    const { until, type, end } = terminal('volumes delete data-2')
    await until('(y/N)')
    type(`y${enter}`)
    const { exit, screen } = await end
    expect(exit).toBe(0)
    expect(screen).toEqual([
      '✔ The data will be lost for ever. Delete volume "data-2" (3002)? Yes',
      'Deleted volume "data-2" (3002)',
    ])
    expect(world.volumes.get(3002)).toBeUndefined()
  })

  test.for([
    { name: 'Enter', input: enter },
    { name: 'something else, then Enter', input: `ja${enter}${keys.clear}${enter}` },
  ])('is not $name', async ({ input }, { terminal, world }) => {
    const { until, type, end } = terminal('volumes delete data-2')
    await until('(y/N)')
    type(input)
    const { exit, screen } = await end
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 6, last: 'skyctl: not confirmed; nothing was done' })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('is not the end of input', async ({ terminal, world }) => {
    const { until, type, end } = terminal('volumes delete data-2')
    await until('(y/N)')
    type(ctrlD)
    const { exit, screen } = await end
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 6, last: 'skyctl: no answer was given' })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test.for([40, 80])(
    'of several targets lists all of them, also those that cannot be deleted: %i columns',
    async (columns, { terminal, world }) => {
      const labels = ['a', 'b', 'c', 'd\u202e\nx\x1b[2J']
      const ids = labels.map((label) => world.volume({ label }).id)
      const attached = world.volume({ label: 'busy', compute_id: 1001 }).id
      const { until, type, end } = terminal(['volumes', 'delete', 'data-3', ...[...ids, attached].map(String)], {
        columns,
      })
      const screen = await until('(y/N)')
      for (const line of screen) expect(line.length).toBeLessThanOrEqual(columns)
      const shown = screen.join(' ').replaceAll(/\s+/g, ' ')
      expect(shown).toBe(
        '2 of 6 will not be deleted: volume "data-3" not found. Did you mean "data-1" or "data-2"? ' +
          `volume "busy" (${attached}) is attached to compute instance 1001. Detach it first: skyctl volumes detach ${attached} --wait ` +
          `4 volumes to delete: volume "a" (${ids[0]}) volume "b" (${ids[1]}) volume "c" (${ids[2]}) ` +
          `volume "d\\u202e\\nx\\x1b[2J" (${ids[3]}) ` +
          '? The data will be lost for ever. Delete these 4 volumes? (y/N)',
      )
      type(`y${enter}`)
      expect(await end).toMatchObject({ exit: 9 })
      expect(world.requests('DELETE').map(({ path }) => path)).toEqual(ids.map((id) => `/volumes/${id}`))
    },
  )

  test('of many targets lists the first 20 and the number of others', async ({ terminal, world }) => {
    const ids = Array.from({ length: 23 }, (_, at) => world.volume({ label: `v${at}` }).id)
    const { until, type, end } = terminal(['volumes', 'delete', ...ids.map(String)], { rows: 40 })
    expect(await until('(y/N)')).toEqual([
      '23 volumes to delete:',
      ...ids.slice(0, 20).map((id, at) => `  volume "v${at}" (${id})`),
      '  and 3 more',
      '? The data will be lost for ever. Delete these 23 volumes? (y/N)',
    ])
    type(ctrlC)
    expect(await end).toMatchObject({ exit: 130 })
  })

  test('is skipped if the API would reject the only target', async ({ terminal, world }) => {
    const { id } = world.volume({ label: 'busy', compute_id: 1001 })
    const { exit, screen } = await terminal('volumes delete busy', { columns: 200 }).end
    expect({ exit, screen, sent: world.requests('DELETE') }).toEqual({
      exit: 6,
      screen: [
        `skyctl: volume "busy" (${id}) is attached to compute instance 1001. Detach it first: skyctl volumes detach ${id} --wait`,
      ],
      sent: [],
    })
  })

  test('leaves out targets that were not found; an error follows at the end', async ({ terminal, world }) => {
    const { until, type, end } = terminal('volumes delete data-2 none-such backup', { columns: 200 })
    expect(await until('(y/N)')).toEqual([
      '1 of 3 will not be deleted:',
      '  volume "none-such" not found',
      '? The data will be lost for ever. Delete volume "data-2" (3002), volume "backup" (3004)? (y/N)',
    ])
    type(`y${enter}`)
    expect(await end).toMatchObject({
      exit: 9,
      screen: [
        '1 of 3 will not be deleted:',
        '  volume "none-such" not found',
        '✔ The data will be lost for ever. Delete volume "data-2" (3002), volume "backup" (3004)? Yes',
        'Deleted volume "data-2" (3002)',
        'Deleted volume "backup" (3004)',
        'skyctl: volume "none-such" not found',
        '2 of 3 deleted',
      ],
    })
    expect([3002, 3004].map((id) => world.volumes.get(id))).toEqual([undefined, undefined])
  })

  test('leaves out targets that could not be read, and they stay unchanged', async ({ terminal, sandbox, world }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    onTestFinished(proxy.close)
    proxy.lose('GET', '/volumes/3004', 'unavailable')
    const { until, type, end } = terminal('volumes delete 3002 3004 --retries 0', {
      columns: 200,
      env: { SKYCTL_BASE_URL: proxy.baseUrl },
    })
    expect((await until('(y/N)')).slice(-1)).toEqual([
      '? The data will be lost for ever. Delete volume "data-2" (3002)? (y/N)',
    ])
    type(`y${enter}`)
    const { exit, screen } = await end
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 9, last: '1 of 2 deleted' })
    expect(world.requests('DELETE').map(({ path }) => path)).toEqual(['/volumes/3002'])
  })

  test('is skipped if none of several targets was found', async ({ terminal, world }) => {
    const { exit } = await terminal('volumes delete none-such 999999', { columns: 200 }).end
    expect({ exit, sent: world.requests('DELETE').length }).toEqual({ exit: 9, sent: 0 })
  })

  test.for([
    ['is on stdin', '< /dev/null'],
    ['is on stderr', '2> err; code=$?; cat err; exit $code'],
  ])('is impossible if no terminal %s', async ([, rest], { shellTerminal, world, home }) => {
    const line = `skyctl volumes delete data-2 ${rest}`
    expect(await shellTerminal(line, { columns: 200, cwd: home }).end).toMatchObject({
      exit: 2,
      screen: [
        'skyctl: The data will be lost for ever. Delete "data-2"? This must be confirmed, and there is no terminal for questions. Add --yes',
      ],
    })
    expect(world.requests()).toEqual([])
  })

  test('appears on stderr, so stdout can be a file', async ({ shellTerminal, home }) => {
    const { until, type, end } = shellTerminal('skyctl volumes delete data-2 --json > "$HOME/out"')
    await until(question)
    type(`y${enter}`)
    expect(await end).toMatchObject({ exit: 0 })
    expect(readFileSync(join(home, 'out'), 'utf8')).toBe('{}\n')
  })

  test('has no colour if colour is disabled', async ({ terminal }) => {
    for (const [line, env] of [
      ['volumes delete data-2 --color never', {}],
      ['volumes delete data-2', { NO_COLOR: '1' }],
    ] as const) {
      const { until, type, end, raw } = terminal(line, { env })
      await until('(y/N)')
      type(`n${enter}`)
      await end
      // ECMA-48: SGR.
      expect(raw()).not.toMatch(/\x1b\[[\d;]*m/)
    }
  })
})

describe('A list', () => {
  const lists = [
    ['tokens create', [step('? Label', `x${enter}`)]],
    ['tokens create', [step('? Label', `x${enter}`), step('What may it do?', enter), step('space changes')]],
    ['profile phone setup', []],
    ['profile security-questions answer', []],
  ] as const

  test.for(lists)('has one pointer and one line with its keys: %s', async ([line, steps], { terminal }) => {
    for (const [env, pointer] of [
      [{}, '❯'],
      [{ LANG: 'C' }, '>'],
      [{ LC_ALL: 'C' }, '>'],
    ] as const) {
      const one = terminal(line, { env })
      await walk(one, steps)
      await one.until(new RegExp(`^${pointer} `, 'm'))
      const screen = await one.until(/up\/down moves, .*enter selects$/m)
      expect(screen.filter((row) => row.startsWith(`${pointer} `))).toHaveLength(1)
      if (pointer === '>' && !line.includes('phone')) expect(one.raw()).toMatch(/^[\0-\x7e]*$/)
    }
  })

  test('marks answers with "+" and "-" in ASCII locales', async ({ terminal }) => {
    for (const [input, mark] of [
      ['n', '-'],
      ['y', '+'],
    ] as const) {
      const { until, type, raw, end } = terminal('volumes delete data-2', { env: { LANG: 'C' } })
      await until('(y/N)')
      type(input + enter)
      expect((await end).screen[0]?.slice(0, 3)).toBe(`${mark} T`)
      expect(raw()).toMatch(/^[\0-\x7e]*$/)
    }
  })
})

describe('Questions on a dumb terminal', () => {
  const env = { TERM: 'dumb' }

  test('are plain lines without control sequences', async ({ terminal, world }) => {
    const one = terminal('tokens create', { env, columns: 120 })
    const steps = [
      step('? Label', `ci${enter}`),
      step('? Number', `9${enter}`),
      step(/> Type a number from 1 to 2\n\? Number/, `1${enter}`),
      step('? account (0)', `1${enter}`),
    ]
    await walk(one, steps)
    for (const _ of Array.from({ length: 20 }))
      if (!/expire/.test(one.screen().join(''))) {
        const printed = one.raw().length
        one.type(enter)
        await one.until(() => /\(0\) $|Number $/.test(one.raw().slice(printed)))
      }
    one.type(`5${enter}`)
    await one.until('? Create this token? (y/N)')
    one.type(`y${enter}`)
    expect((await one.end).exit).toBe(0)
    expect(one.raw()).toMatch(/^[\r\n\x20-\x7e]*$/)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('do not show a secret, and support corrections', async ({ terminal, sandbox }) => {
    const one = terminal(`auth login --base-url ${sandbox.baseUrl}`, {
      env: { ...env, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
    })
    await one.until('? Token')
    one.type(`wrong\x15x\x7f${sandbox.ownerToken}${enter}`)
    await one.until('? Name of the context (owner)')
    one.type(enter)
    expect((await one.end).exit).toBe(0)
    expect(one.raw()).not.toMatch(/\x1b|wrong/)
    expect(one.raw()).not.toContain(sandbox.ownerToken.slice(0, 8))
  })

  test.for([
    { name: 'Ctrl-C', input: ctrlC, exit: 130 },
    { name: 'an end of input', input: ctrlD, exit: 6 },
    { name: 'Enter', input: enter, exit: 6 },
  ])('end on $name', async ({ input, exit }, { terminal, world }) => {
    const { until, type, end } = terminal('volumes delete data-2', { env })
    await until('(y/N)')
    type(input)
    const { exit: code, screen } = await end
    // Long lines are wrapped between words.
    expect({ code, end: screen.slice(-2).join('\n') }).toEqual({ code: exit, end: expect.stringMatching(/^skyctl: /m) })
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('The terminal after a prompt', () => {
  test.for([
    { name: 'an answer', act: 'n\r', exit: 6 },
    { name: 'Ctrl-C', act: ctrlC, exit: 130 },
    { name: 'an end of input', act: ctrlD, exit: 6 },
    { name: 'SIGTERM', act: 'SIGTERM' as const, exit: 143 },
    { name: 'SIGINT', act: 'SIGINT' as const, exit: 130 },
  ])('is restored: $name', async ({ act, exit }, { shellTerminal, world }) => {
    const { until, type, end, raw } = shellTerminal(
      'stty -g; sh -c "echo pid \\$\\$ end; exec skyctl volumes delete data-2"; echo exit $?; stty -g',
      { columns: 200, isProcess: act.startsWith('SIG') },
    )
    const shown = await until('(y/N)')
    if (act.startsWith('SIG')) process.kill(Number(/pid (\d+) end/.exec(shown.join('\n'))?.[1]), act)
    else type(act)
    const { screen } = await end
    expect(screen.at(-2)).toBe(`exit ${exit}`)
    expect(screen.at(-1)).toBe(screen[0])
    // A hidden cursor is shown again (DECTCEM).
    expect(raw().lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(raw().lastIndexOf('\x1b[?25h'))
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('shows the cursor again after a question for a secret', async ({ terminal, sandbox }) => {
    const { until, type, end, raw } = terminal(`auth login --base-url ${sandbox.baseUrl}`, { env: signedOut })
    await until('? Token')
    type(ctrlC)
    const { exit, screen } = await end
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
    expect(raw().lastIndexOf('\x1b[?25l')).toBeLessThan(raw().lastIndexOf('\x1b[?25h'))
  })
})

describe('A question about several changes', () => {
  const addresses = Array.from({ length: 22 }, (_, index) => `203.0.113.${100 + index}`)

  test.for([
    [3, [], 'Assign 203.0.113.100 from compute instance 9001 to 9002, 203.0.113.101 from'],
    [
      4,
      ['4 addresses to assign:', '  203.0.113.103 from compute instance 9001 to 9002'],
      'Assign these 4 addresses? (y/N)',
    ],
    [
      22,
      ['22 addresses to assign:', '  203.0.113.119 from compute instance 9001 to 9002', '  and 2 more'],
      'Assign these 22 addresses? (y/N)',
    ],
  ] as const)(
    'lists addresses that instances lose, at most 20: %i',
    async ([count, listed, question], { terminal, world }) => {
      for (const id of [9001, 9002]) world.compute({ id, region: 'us-east' })
      for (const address of [...addresses, '203.0.113.200']) world.network.address({ address, compute_id: 9001 })
      const moves = addresses.slice(0, count).map((address) => `${address}=9002`)
      const { until, type, end } = terminal(['ips', 'assign', ...moves], { columns: 250 })
      const screen = await until('(y/N)')
      expect(screen.filter((line) => (listed as readonly string[]).includes(line))).toEqual(listed)
      expect(screen.at(-1)).toContain(`Their compute instances will lose these addresses. ${question}`)
      expect(screen.filter((line) => line.includes('203.0.113.120'))).toEqual([])
      type(`y${enter}`)
      expect((await end).exit).toBe(0)
      expect(world.network.findAddress('203.0.113.100')?.compute_id).toBe(9002)
    },
  )

  test('of an apply lists them, and those that cannot be undone', async ({ terminal, skyctl, world }) => {
    for (const id of [7001, 7002, 7003, 7004]) world.volume({ id, label: `data-${id}`, tags: ['a'] })
    const tagged = [7001, 7002, 7003, 7004].map((id) => `data-${id}: { tags: [b] }`)
    const stdin = `volumes: { ${tagged.join(', ')}, fresh: { region: us-east } }`
    const { stderr } = await skyctl('apply - --yes', { stdin })
    const [, id] = /history undo --apply ([0-9a-f]{8})$/m.exec(stderr) ?? []
    const { until, type, end } = terminal(`history undo --apply ${id}`, { columns: 200, rows: 60 })
    const shown = (await until('(y/N)')).join('\n')
    expect(shown).toMatch(/^1 of 5 will not be undone:\n {2}change \d \(volume "fresh".*volumes delete/m)
    expect(shown).toMatch(/^4 changes to undo:(\n {2}change \d \(volume "data-700\d" \(700\d\)\)){4}$/m)
    expect(shown).toContain(`The values from before will be restored. Undo these 4 changes of apply ${id}? (y/N)`)
    type(`y${enter}`)
    expect((await end).exit).toBe(9)
    expect(world.volumes.get(7001)?.tags).toEqual(['a'])
  })

  test('of rules lists each of them above', async ({ terminal, world }) => {
    const rules = ruleSet(...['a-1', 'b-2', 'c-3', 'd-4'].map((label, index) => rule(label, `${8000 + index}`)))
    world.network.firewall({ id: 9100, label: 'edge', rules })
    const line = 'firewalls rules remove edge inbound label:a-1 label:b-2 label:c-3 label:d-4'
    const { until, type, end } = terminal(line, { columns: 200 })
    const shown = (await until('(y/N)')).join('\n')
    expect(shown.match(/^removed {2}inbound \d: .*"[a-d]-\d"/gm)).toHaveLength(4)
    expect(shown).toContain(
      'Without them, the next rule that matches decides, or the policy. ' +
        'Remove these 4 inbound rules of firewall "edge" (9100)? (y/N)',
    )
    type(`y${enter}`)
    expect((await end).exit).toBe(0)
    expect(world.network.firewalls.get(9100)?.rules.inbound).toEqual([])
  })
})

test('A shared address is moved by the older endpoint only after a second question', async ({ terminal, world }) => {
  const { until, type, end } = terminal('ips assign 192.0.2.32=web-1')
  await until('(y/N)')
  type(`y${enter}`)
  await until('Assign 192.0.2.32 by the older endpoint?')
  type(`n${enter}`)
  const { exit } = await end
  expect({ exit, sent: world.requests('POST').map(({ path }) => path) }).toEqual({
    exit: 6,
    sent: ['/networking/ips/assign'],
  })
})
