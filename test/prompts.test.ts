/** Questions in the terminal: which terminal they use, and which secrets they learn from the answers. */
import { describe, expect, test } from 'vitest'
import { openPrompts } from '../src/cli/prompts'
import type { Io } from '../src/platform/io'
import { KnownSecrets } from '../src/rules/secrets'
import { stage } from './prompt/stage'

const dumb = { TERM: 'dumb', LANG: 'en_GB.UTF-8' }

function openStage(env: Record<string, string> = dumb, account = '') {
  const { input, shown, terminal } = stage()
  const secrets = new KnownSecrets()
  const io = { stdin: input, stderr: terminal.output, env, platform: 'linux' } as unknown as Io
  const ask = openPrompts(io, { account, color: false, signal: terminal.signal, yes: false, secrets })
  return { ask, input, shown, secrets }
}

describe('input', () => {
  test('for a secret or a code is redacted in later messages', async () => {
    const { ask, input, secrets } = openStage()
    input.write('geheimnis\n')
    expect(await ask.secret('Token')).toBe('geheimnis')
    input.write('123456\n')
    expect(await ask.code('Code', { left: () => 'soon', check: () => true })).toBe('123456')
    expect(secrets.inMessage('it was geheimnis, then 123456')).not.toMatch(/geheimnis|123456/)
  })

  test('for a text is not redacted', async () => {
    const { ask, input, secrets } = openStage()
    input.write('production\n')
    expect(await ask.text('Label')).toBe('production')
    expect(secrets.inMessage('it was production')).toBe('it was production')
  })
})

describe('a question', () => {
  test('has no secrets and no control characters', async () => {
    const { ask, input, shown, secrets } = openStage()
    secrets.learn('geheimnis')
    input.write('\n')
    await ask.text('Label of geheimnis\u001b[2J')
    expect(shown()).toMatch(/^\? Label of (?!geheimnis)\S+\\x1b\[2J $/)
  })

  test('names the account before a confirmation', async () => {
    const { ask, input, shown } = openStage(dumb, '[prod] ')
    input.write('y\n')
    expect(await ask.confirm('Delete it?')).toBe(true)
    expect(shown()).toBe('? [prod] Delete it? (y/N) ')
  })

  test('is drawn if the terminal supports control sequences', async () => {
    const { ask, input, shown } = openStage({ TERM: 'xterm' })
    const answer = ask.text('Label').catch((error) => error)
    await expect.poll(shown).toContain('\u001b[')
    input.end()
    expect(await answer).toMatchObject({ code: 'refused' })
  })
})

describe('the terminal window', () => {
  test('has the size of the terminal', () => {
    expect(openStage().ask.window).toMatchObject({ columns: 80, rows: 24, colors: 0, unicode: false })
  })

  test('allows Unicode if the locale does', () => {
    expect(openStage({ TERM: 'xterm', LANG: 'en_GB.UTF-8' }).ask.window.unicode).toBe(true)
  })
})
