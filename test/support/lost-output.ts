/** Rules for a change whose output was lost, compared with the same change whose output was read. */

/** `maybe`: the reader leaves at any time. */
export interface Loss {
  stdout?: 'gone' | 'full' | 'maybe' | undefined
  stderr?: 'gone' | 'full' | 'maybe' | undefined
}

/** A file with output that nobody read. */
export interface SavedFile {
  path: string
  mode: number
  text: string
}

/** Result of a run. A lost stream is empty. */
export interface RunOutput {
  exit: number
  stdout: string
  stderr: string
  /** Changing requests. */
  sent: readonly string[]
  /** The contexts file, if it is compared. */
  contexts?: string
  savedFiles: readonly SavedFile[]
}

/** Lists the faults of a run whose output was lost. */
export function lossFaults(complete: RunOutput, lost: RunOutput, loss: Loss & { showsOnce: boolean }): string[] {
  const secretLost = loss.showsOnce && lost.exit === 12
  const rules: Record<string, boolean> = {
    'it fails although its output is read': complete.exit !== 0,
    [`it ends with ${lost.exit}, not ${expectedExits(complete, loss).join(' or ')}`]: !expectedExits(
      complete,
      loss,
    ).includes(lost.exit),
    'it sends fewer changes': !secretLost && lost.sent.join() !== complete.sent.join(),
    'it sends more changes': !lost.sent.every((request) => complete.sent.includes(request)),
    'it stores other contexts': !secretLost && lost.contexts !== complete.contexts,
    'stdout is incomplete': loss.stdout === undefined && lineCount(lost.stdout) !== lineCount(complete.stdout),
    'an unhandled rejection or an internal error': /Unhandled|internal error/.test(lost.stderr),
    'it saves output that was read': !secretLost && lost.savedFiles.length > 0,
    'a secret that is shown once is lost': secretLost && !isSecretSaved(complete, lost),
    'the last line does not name the file with the secret': secretLost && !loss.stderr && !isFileNamed(lost),
  }
  return Object.keys(rules).filter((rule) => rules[rule])
}

/** Output that cannot be stored is a failure. Output that nobody reads is a failure only if it has a secret. */
function expectedExits(complete: RunOutput, { stdout, showsOnce }: Loss & { showsOnce: boolean }): number[] {
  if (stdout === undefined || complete.stdout === '') return [0]
  if (stdout === 'full') return [12]
  if (!showsOnce) return [0]
  return stdout === 'gone' ? [12] : [0, 12]
}

/** Reports whether a private file has exactly what the other run printed. */
function isSecretSaved(complete: RunOutput, { savedFiles: [file, ...more] }: RunOutput): boolean {
  if (file === undefined || more.length > 0) return false
  return file.mode === 0o600 && file.text.length > 5 && complete.stdout.includes(file.text.trimEnd())
}

function isFileNamed({ stderr, savedFiles: [file] }: RunOutput): boolean {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  return file !== undefined && last.includes(file.path)
}

const lineCount = (text: string) => text.split('\n').length
