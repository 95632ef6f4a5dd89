/** What must hold of a change whose output was lost, judged by the same change of which all was read. */

/** `maybe`: the reader leaves some time. */
export interface Loss {
  stdout?: 'gone' | 'full' | 'maybe' | undefined
  stderr?: 'gone' | 'full' | 'maybe' | undefined
}

/** A file that keeps what nobody read. */
export interface Kept {
  path: string
  mode: number
  text: string
}

/** A stream that was lost is empty. */
export interface Told {
  exit: number
  stdout: string
  stderr: string
  /** The requests that change something. */
  sent: readonly string[]
  /** The contexts file, where it is looked at. */
  contexts?: string
  kept: readonly Kept[]
}

/** What is wrong with the run whose output was lost. */
export function lossFaults(open: Told, lost: Told, loss: Loss & { showsOnce: boolean }): string[] {
  const secretLost = loss.showsOnce && lost.exit === 12
  const rules: Record<string, boolean> = {
    'with all its output it fails': open.exit !== 0,
    [`it ends with ${lost.exit}, not ${expectedExits(open, loss).join(' or ')}`]: !expectedExits(open, loss).includes(
      lost.exit,
    ),
    'not all was done': !secretLost && lost.sent.join() !== open.sent.join(),
    'more was done': !lost.sent.every((request) => open.sent.includes(request)),
    'other contexts are kept': !secretLost && lost.contexts !== open.contexts,
    'stdout is not whole': loss.stdout === undefined && lineCount(lost.stdout) !== lineCount(open.stdout),
    'a rejection that nobody handles, or a defect': /Unhandled|internal error/.test(lost.stderr),
    'it keeps what was read': !secretLost && lost.kept.length > 0,
    'what is shown once is lost': secretLost && !isKept(open, lost),
    'the last line does not say where it is': secretLost && !loss.stderr && !isNamed(lost),
  }
  return Object.keys(rules).filter((rule) => rules[rule])
}

/** What was to be printed, and could not be stored, is a failure; that nobody wanted it is none, but for a secret. */
function expectedExits(open: Told, { stdout, showsOnce }: Loss & { showsOnce: boolean }): number[] {
  if (stdout === undefined || open.stdout === '') return [0]
  if (stdout === 'full') return [12]
  if (!showsOnce) return [0]
  return stdout === 'gone' ? [12] : [0, 12]
}

/** For its owner alone, and just what the other run showed. */
function isKept(open: Told, { kept: [file, ...more] }: Told): boolean {
  if (file === undefined || more.length > 0) return false
  return file.mode === 0o600 && file.text.length > 5 && open.stdout.includes(file.text.trimEnd())
}

function isNamed({ stderr, kept: [file] }: Told): boolean {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  return file !== undefined && last.includes(file.path)
}

const lineCount = (text: string) => text.split('\n').length
