#!/usr/bin/env bash
# Two ids above 2^53 that differ by one, in jq 1.7 and later.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact jq-wasm@1.0.1 >>install.log
program <<'JS'
import * as jq from 'jq-wasm'
const ids = '[9007199254740993,9007199254740992]'
const { raw } = jq.default ?? jq
for (const filter of ['.[0] == .[1]', '(.[0] + 0) == .[1]', 'map(. % 10)', 'map(-.)', 'unique | length', 'map(. + 0) | unique | length'])
  console.log(filter, '->', (await raw(ids, filter, ['-c'])).trim())
JS
expect 'comparison and unique see two ids, and any arithmetic, % and the minus sign too, makes one of them: the last digit of 9007199254740993 is 2' <<'TEXT'
.[0] == .[1] -> false
(.[0] + 0) == .[1] -> true
map(. % 10) -> [2,2]
map(-.) -> [-9007199254740992,-9007199254740992]
unique | length -> 2
map(. + 0) | unique | length -> 1
TEXT
