/** Open files of the process as arguments: names of stdin, other descriptors, and `<(…)` of a shell. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/process'

describe('An open file of the process', () => {
  const text = 'volumes: { data-1: {} }'
  test.for([
    'cat ACCOUNT | skyctl plan -',
    `cat ACCOUNT | skyctl plan /dev/stdin`,
    `skyctl plan /dev/stdin < ACCOUNT`,
    `cat ACCOUNT | skyctl plan /dev/fd/0`,
    `bash -c 'skyctl plan <(cat ACCOUNT)'`,
    `skyctl plan /proc/self/fd/3 3< ACCOUNT`,
    `bash -c 'T=$SKYCTL_TOKEN; unset SKYCTL_TOKEN; SKYCTL_TOKEN_FILE=<(echo $T) skyctl plan ACCOUNT'`,
  ])('can be read by its path: %s', async (line, { shell, home }) => {
    const path = join(home, 'a.yaml')
    writeFileSync(path, text)
    expect(await shell(line.replaceAll('ACCOUNT', path))).toMatchObject({
      exit: 0,
      stdout: 'No changes; 1 unchanged\n',
      stderr: '',
    })
  })
})
