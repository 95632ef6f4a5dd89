/** New tokens on a terminal. */
import { expect } from 'vitest'
import { keys, processTest, test } from '../support/terminal'

const textOf = (screen: readonly string[]) => screen.join(' ').replaceAll(/\s+/g, ' ')

test('The question of a rotation names --output-file, before the token is shown', async ({ terminal }) => {
  const { until, type, end } = terminal('tokens rotate volumes-read-only')
  const question = textOf(await until('(y/N)'))
  expect(question).toContain('The new token will be shown here, once: --output-file FILE writes it to a file instead.')
  type(`y${keys.enter}`)
  const { exit, screen } = await end
  expect({ exit, text: textOf(screen) }).toEqual({
    exit: 0,
    text: expect.stringContaining('Next time, --output-file FILE writes it to a private file'),
  })
})

test('The question of a rotation with --output-file names the file', async ({ terminal, home }) => {
  const { until, type, end } = terminal(`tokens rotate volumes-read-only --output-file ${home}/ci.token`)
  expect(textOf(await until('(y/N)'))).not.toContain('will be shown')
  type(keys.enter)
  expect((await end).exit).toBe(6)
})

test('A created token comes with --output-file for the next one', async ({ terminal }) => {
  const { exit, screen } = await terminal('tokens create --label ci --scopes volumes:read_only --expiry 30d').end
  expect({ exit, text: textOf(screen) }).toEqual({
    exit: 0,
    text: expect.stringContaining('it cannot be shown again. Next time, --output-file FILE'),
  })
})

processTest(
  'A table with a token goes into no file, and nothing is created',
  async ({ shellTerminal, world, home }) => {
    const line = 'skyctl tokens create --label ci --scopes volumes:read_only --expiry 30d'
    const { exit, screen } = await shellTerminal(`${line} > ${home}/ci.token`).end
    expect({ exit, text: textOf(screen), sent: world.requests('POST') }).toEqual({
      exit: 2,
      text: expect.stringContaining('Write --output-file FILE in place of > FILE'),
      sent: [],
    })
    expect((await shellTerminal(`${line} --json > ${home}/ci.token`).end).exit).toBe(0)
  },
)
