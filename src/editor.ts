/** A person's own editor: VISUAL, EDITOR, or what the platform always has. */
import { constants } from 'node:os'
import { Problem } from './errors'
import { type Environment, withoutToken } from './rules/environment'

interface Surroundings {
  env: Environment
  platform: NodeJS.Platform
  /** Whether there is a terminal for an editor that nobody named. */
  interactive: boolean
}

/** Opens a file and resolves when the editor has ended. Throws `local` where that cannot be run, or fails. */
export async function openEditor(path: string, { env, platform, interactive }: Surroundings): Promise<void> {
  const windows = platform === 'win32'
  const named = env.VISUAL?.trim() || env.EDITOR?.trim()
  if (!named && !interactive) {
    throw new Problem('usage', 'there is no terminal for an editor', { hint: 'Set VISUAL or EDITOR to a command' })
  }
  const editor = named || (windows ? 'notepad' : 'vi')
  const { spawn } = await import('node:child_process')
  // The variables hold a shell's words, such as `code --wait`; git and crontab run them in the same way.
  const [file, words]: [string, string[]] = windows
    ? [`${editor} "${path}"`, []]
    : ['/bin/sh', ['-c', `${editor} "$1"`, editor, path]]
  const child = spawn(file, words, { stdio: 'inherit', env: withoutToken(env), shell: windows })
  const ended = await new Promise<string | number>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  if (ended === 0) return
  const why = typeof ended === 'string' ? ended : `it ended with ${ended}`
  throw new Problem('local', `the editor "${editor}" failed: ${why}`, {
    ...(ended === 127 && { hint: 'Set VISUAL or EDITOR to the editor that you use' }),
  })
}
