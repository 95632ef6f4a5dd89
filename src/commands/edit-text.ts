/** Text that a person edits, and which is not lost where something goes wrong afterwards. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context'
import { Problem } from '../errors'

/**
 * Opens a text in the editor as a private file, and gives the object that it then holds, JSON or YAML, to `use`. The
 * file is removed at the end; where it ends in a problem, it is kept and named.
 */
export async function editText(
  text: string,
  { name, context }: { name: string; context: Context },
  use: (value: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const path = join(context.paths.state, 'edits', `${context.clock.now()}-${name}`)
  await keepPrivately(path, text, context)
  try {
    await context.openEditor(path)
    const { parseObject } = await import('../engine/body-file')
    await use(await parseObject(readFileSync(path, 'utf8'), `"${path}"`))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `${error.message}; your text is kept in "${path}"`, {
      ...error.details,
      cause: error,
    })
  }
  rmSync(path, { force: true })
}

async function keepPrivately(path: string, text: string, context: Context): Promise<void> {
  const { openPrivateFolder } = await import('../files/private')
  const { writePrivately } = await import('../files/write')
  const heard: string[] = []
  openPrivateFolder(join(path, '..'), (warning) => heard.push(warning))
  for (const warning of heard) await context.warn(warning)
  writePrivately(path, `${text}\n`)
}
