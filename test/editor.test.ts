/** The user's editor (VISUAL and EDITOR, as in POSIX), run like in git and crontab. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEditor } from '../src/platform/editor'
import { openHost } from '../src/platform/host'
import type { Environment } from '../src/rules/environment'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl editor-'))
  file = join(folder, "a file's name")
  writeFileSync(file, 'before\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { PATH } = process.env
function open(variables: Environment, { interactive = true, platform = 'linux' as NodeJS.Platform } = {}) {
  const env = { PATH, ...variables }
  const { run } = openHost({
    ...{ env, platform, stdin: new PassThrough(), program: [] },
    ...{ catchSignals: () => () => {}, loadAll() {} },
  })
  return openEditor(file, { run, env, platform, interactive, instead: 'skyctl x --file FILE' })
}
const text = () => readFileSync(file, 'utf8')

describe('an editor', () => {
  test('is VISUAL or EDITOR, with arguments for a shell', async () => {
    await open({ VISUAL: "sed -i 's/before/by VISUAL/'", EDITOR: 'false' })
    expect(text()).toBe('by VISUAL\n')
    await open({ VISUAL: '  ', EDITOR: ' sed -i s/VISUAL/EDITOR/ ' })
    expect(text()).toBe('by EDITOR\n')
  })

  test('that is set needs no terminal', async () => {
    await open({ EDITOR: 'sed -i s/before/after/' }, { interactive: false })
    expect(text()).toBe('after\n')
  })

  test('is vi by default, which needs a terminal', async () => {
    writeFileSync(join(folder, 'vi'), '#!/bin/sh\necho by vi > "$1"\n', { mode: 0o755 })
    await open({ PATH: `${folder}:${PATH}` })
    expect(text()).toBe('by vi\n')
    await expect(open({ PATH: `${folder}:${PATH}`, EDITOR: ' ' }, { interactive: false })).rejects.toMatchObject({
      code: 'usage',
      message: 'there is no terminal for an editor',
      details: { hint: 'Set VISUAL or EDITOR to a command, or run skyctl x --file FILE' },
    })
  })

  test('on Windows is a command line for its shell, by default Notepad', async () => {
    writeFileSync(join(folder, 'notepad'), '#!/bin/sh\necho "by notepad, $#" > "$1"\n', { mode: 0o755 })
    await open({ PATH: folder }, { platform: 'win32' })
    expect(text()).toBe('by notepad, 1\n')
    await open({ EDITOR: 'sed -i s/notepad/EDITOR/' }, { platform: 'win32' })
    expect(text()).toBe('by EDITOR, 1\n')
  })

  test('gets the environment without the token', async () => {
    writeFileSync(join(folder, 'tell'), '#!/bin/sh\necho "$WHO.$SKYCTL_TOKEN." > "$1"\n', { mode: 0o755 })
    await open({ PATH: `${folder}:${PATH}`, EDITOR: 'tell', WHO: 'ada', SKYCTL_TOKEN: 'geheim' })
    expect(text()).toBe('ada..\n')
  })

  test.for<[string, string, object]>([
    ['exit 3; :', 'it ended with 3', {}],
    ['kill -TERM $$; :', 'it ended with 143', {}],
    ['no-such-editor-here', 'it ended with 127', { hint: 'Set VISUAL or EDITOR to the editor that you use' }],
  ])('that fails is reported with its exit code: %s', async ([EDITOR, why, details]) => {
    const problem = await open({ EDITOR }).catch((error) => error)
    expect(problem).toMatchObject({ code: 'local', message: `the editor "${EDITOR}" failed: ${why}` })
    expect(problem.details).toEqual(details)
  })
})
