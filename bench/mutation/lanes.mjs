/** Copies with a process each that runs tests there; jobs go to whoever is free. */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { writeCopy } from './copy.mjs'

/** @param {{ folder: string, count: number }} where the copies are put, and how many. */
export async function openLanes(root, texts, { folder, count }) {
  const lanes = []
  for (let index = 0; index < count; index += 1) {
    const copy = join(folder, String(index))
    writeCopy(root, copy, texts)
    lanes.push(await openLane(copy))
  }
  return {
    /** Lets each of these run its jobs, one after the other, in a lane of its own; the first are begun first. */
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
  // What a mutant leaves behind goes with the copy.
  const env = { ...process.env, TMPDIR: join(own, 'tmp'), PATH: `${join(own, 'bin')}${delimiter}${process.env.PATH}` }
  mkdirSync(env.TMPDIR)
  mkdirSync(join(own, 'bin'))
  // One that forgets which editor was named would wait for somebody to type.
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
