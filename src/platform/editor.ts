/** Opens the user's editor: VISUAL, EDITOR, or the platform's default. */
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import type { Host } from './host'

interface EditorHost extends Pick<Host, 'run' | 'platform'> {
  env: Environment
  /** True if there is a terminal for the default editor. */
  interactive: boolean
  /** Commands that change the same without an editor. */
  instead: string
}

/** Opens a file and resolves when the editor has exited. Throws `local` if the editor cannot be run, or fails. */
export async function openEditor(
  path: string,
  { run, env, platform, interactive, instead }: EditorHost,
): Promise<void> {
  const windows = platform === 'win32'
  const named = env.VISUAL?.trim() || env.EDITOR?.trim()
  if (!named && !interactive) {
    throw new Problem('usage', 'there is no terminal for an editor', {
      hint: `Set VISUAL or EDITOR to a command, or run ${instead}`,
    })
  }
  const editor = named || (windows ? 'notepad' : 'vi')
  // The variables hold shell commands, such as `code --wait`; git and crontab run them in the same way.
  const words = windows ? [`${editor} "${path}"`] : ['/bin/sh', '-c', `${editor} "$1"`, editor, path]
  const exit = await run({ words, shell: windows })
  if (exit === 0) return
  throw new Problem('local', `the editor "${editor}" failed: it ended with ${exit}`, {
    ...(exit === 127 && { hint: 'Set VISUAL or EDITOR to the editor that you use' }),
  })
}
