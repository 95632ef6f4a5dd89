/** Questions on the terminal of a run: which terminal that is, and what is learnt from the answers. */
import { describe, expect, test } from 'vitest'
import type { Io } from '../src/io'
import { openPrompts } from '../src/prompts'
import { KnownSecrets } from '../src/rules/secrets'
import { stage } from './prompt/stage'

const dumb = { TERM: 'dumb', LANG: 'en_GB.UTF-8' }

function asking(env: Record<string, string> = dumb, account = '') {
  const { input, shown, terminal } = stage()
  const secrets = new KnownSecrets()
  const io = { stdin: input, stderr: terminal.output, env, platform: 'linux' } as unknown as Io
  const ask = openPrompts(io, { account, color: false, signal: terminal.signal, yes: false, secrets })
  return { ask, input, shown, secrets }
}

describe('what is typed', () => {
  test('as a secret or a code is not seen in messages from then on', async () => {
    const { ask, input, secrets } = asking()
    input.write('geheimnis\n')
    expect(await ask.secret('Token')).toBe('geheimnis')
    input.write('123456\n')
    expect(await ask.code('Code', { left: () => 'soon', check: () => true })).toBe('123456')
    expect(secrets.inMessage('it was geheimnis, then 123456')).not.toMatch(/geheimnis|123456/)
  })

  test('as a text is seen', async () => {
    const { ask, input, secrets } = asking()
    input.write('production\n')
    expect(await ask.text('Label')).toBe('production')
    expect(secrets.inMessage('it was production')).toBe('it was production')
  })
})

describe('a question', () => {
  test('shows no secret, and nothing that commands the terminal', async () => {
    const { ask, input, shown, secrets } = asking()
    secrets.learn('geheimnis')
    input.write('\n')
    await ask.text('Label of geheimnis\u001b[2J')
    expect(shown()).toMatch(/^\? Label of (?!geheimnis)\S+\\x1b\[2J $/)
  })

  test('names the account where something is to be confirmed', async () => {
    const { ask, input, shown } = asking(dumb, '[prod] ')
    input.write('y\n')
    expect(await ask.confirm('Delete it?')).toBe(true)
    expect(shown()).toBe('? [prod] Delete it? (y/N) ')
  })

  test('is drawn where the terminal takes commands', async () => {
    const { ask, input, shown } = asking({ TERM: 'xterm' })
    const asked = ask.text('Label').catch((error) => error)
    await expect.poll(shown).toContain('\u001b[')
    input.end()
    expect(await asked).toMatchObject({ code: 'refused' })
  })
})

describe('the window', () => {
  test('is as large as the terminal is', () => {
    expect(asking().ask.window).toMatchObject({ columns: 80, rows: 24, color: false, unicode: false })
  })

  test('shows more than ASCII where the locale says so', () => {
    expect(asking({ TERM: 'xterm', LANG: 'en_GB.UTF-8' }).ask.window.unicode).toBe(true)
  })

  test('is as light as COLORFGBG says', async () => {
    expect(await asking({ ...dumb, COLORFGBG: '0;15' }).ask.background()).toBe('light')
    expect(await asking({ ...dumb, COLORFGBG: '15;0' }).ask.background()).toBe('dark')
  })
})
