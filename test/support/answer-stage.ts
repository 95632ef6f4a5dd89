/** Runs a command once against a sandbox, and then as often as wanted against what that answered, or not quite. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPlace } from './place'
import { openReplay, type Replay } from './replay'
import { type Result, runSkyctl, words } from './run'
import { type Sample, samples } from './samples'

export interface Stage {
  replay: Replay
  run(flags: string): Promise<Result>
  close(): Promise<void>
}

/** For a command, by its words, and its sample unless another line is given. */
export async function stageOf(path: string, sample: Sample | undefined = samples[path]): Promise<Stage> {
  const { line = '', stdin = '', arrange } = sample ?? {}
  const untouched = await openPlace()
  await arrange?.(untouched)
  const place = await openPlace()
  const { home, clock, sandbox, env } = place
  const replay = await openReplay(sandbox.baseUrl, untouched.sandbox.baseUrl)
  // Copies of rules belong to an address.
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

/** Copies of rules pile up, and a context may only be made once: each run finds what the first one found. */
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
