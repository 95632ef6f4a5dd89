/** Writes what became of every object of a plan to a file (`apply --outputs`). */
import { lstatSync } from 'node:fs'
import type { Flags } from '../../engine/command'
import { Problem } from '../../errors'
import { isRecord } from '../../rules/records'
import { earlierText, writableFile, writeSecret } from '../secret-file'
import { expectOutside } from './read-files'

// 10,000 objects.
const most = 4 * 1024 * 1024

/**
 * Returns the file for outputs; undefined without the flag. It may hold those of an earlier apply, as a nightly job
 * writes them again. Throws `usage` for a dry run and for a file among the account files, and `local` if the file is not
 * writable or holds anything else.
 */
export function outputsFile(flags: Flags, accountFiles: readonly string[]): string | undefined {
  const path = writableFile(flags, 'outputs')
  if (path === undefined) return undefined
  if (flags['dry-run']) throw new Problem('usage', '--outputs: a dry run has none')
  expectOutside(accountFiles, path, 'outputs')
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.size === 0 || isOutputs(earlierText(path, most))) return path
  throw new Problem('local', `"${path}" already exists and does not hold the outputs of an apply`, {
    hint: 'Name another file',
  })
}

function isOutputs(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value.changed === 'boolean' && Array.isArray(value.objects)
  } catch {
    return false
  }
}

export async function writeOutputs(path: string, outcome: Record<string, unknown>): Promise<void> {
  const { formatJson } = await import('../../data/json')
  await writeSecret(path, await formatJson(outcome))
}
