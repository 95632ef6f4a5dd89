/** Copies, each with a process that runs tests there. The next free process takes the next job. */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { writeCopy } from './copy.mjs'

/** @param {{ folder: string, count: number }} options folder for the copies, and their number */
export async function openLanes(root, texts, { folder, count }) {
  const lanes = []
  for (let index = 0; index < count; index += 1) {
    const copy = join(folder, String(index))
    writeCopy(root, copy, texts)
    lanes.push(await openLane(copy))
  }
  return {
    /** Runs the tasks, beginning with the first. Each has a lane of its own for its jobs. */
    async each(tasks) {
      const waiting = [...tasks]
      const work = async (lane) => {
        for (let task = waiting.shift(); task; task = waiting.shift()) await task(lane.run)
      }
      await Promise.all(lanes.map(work))
    },
    close() {
      for (const lane of lanes) lane.close()
    },
  }
}

async function openLane(copy) {
  const own = join(copy, '.mutation')
  // Files that a mutant leaves behind are deleted with the copy.
  const env = { ...process.env, TMPDIR: join(own, 'tmp'), PATH: `${join(own, 'bin')}${delimiter}${process.env.PATH}` }
  mkdirSync(env.TMPDIR)
  mkdirSync(join(own, 'bin'))
  // A mutant that forgets the selected editor would wait for somebody to type.
  writeFileSync(join(own, 'bin/vi'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = fork(join(import.meta.dirname, 'lane.mjs'), [copy], { env, stdio })
  await answer(child)
  return {
    run(job) {
      child.send(job)
      return answer(child)
    },
    close: () => child.disconnect(),
  }
}

function answer(child) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`a lane ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })
}
