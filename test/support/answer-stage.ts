/** Runs a command once against a sandbox, and then repeatedly against the recorded answers, one of them changed. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openReplay, type Replay } from './replay'
import { type Result, runSkyctl, words } from './run'
import { type Sample, samples } from './samples'
import { openEnvironment } from './test-environment'

export interface Stage {
  replay: Replay
  run(flags: string): Promise<Result>
  close(): Promise<void>
}

/** Opens a stage for a command, by its words, with its sample or another line. */
export async function stageOf(path: string, sample: Sample | undefined = samples[path]): Promise<Stage> {
  const { line = '', stdin = '', arrange } = sample ?? {}
  const untouched = await openEnvironment()
  await arrange?.(untouched)
  const place = await openEnvironment()
  const { home, clock, sandbox, env } = place
  const replay = await openReplay(sandbox.baseUrl, untouched.sandbox.baseUrl)
  // Backups of rules belong to a base URL.
  Object.assign(env, { SKYCTL_BASE_URL: replay.baseUrl })
  await arrange?.(place)
  let runs = 0
  const run = (flags: string) => {
    runs += 1
    const own = { ...env, ...freshFolders(env, join(home, String(runs))) }
    const input = stdin.replace('TOKEN', sandbox.ownerToken)
    return runSkyctl([...words(`${path} ${line} ${flags}`), '--yes'], { env: own, clock, stdin: input })
  }
  replay.begin()
  const clean = await run('')
  assert.equal(clean.exit, 0, `${path}: ${clean.stderr}`)
  return {
    replay,
    run,
    async close() {
      await replay.close()
      await place.close()
      await untouched.close()
    },
  }
}

/** Copies the folders for each run: backups of rules accumulate, and a context can be created only once. */
function freshFolders(env: Record<string, string>, folder: string): Record<string, string> {
  return Object.fromEntries(
    ['SKYCTL_STATE_DIR', 'SKYCTL_CONFIG_DIR'].map((name) => {
      const [from = '', to] = [env[name], join(folder, name)]
      if (existsSync(from)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        cpSync(from, to, { recursive: true })
      }
      return [name, to]
    }),
  )
}
