#!/usr/bin/env bash
# Filters that people bring from other tools with JMESPath, in the two JavaScript libraries for it.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact jmespath@0.16.0 @jmespath-community/jmespath@1.3.0 >>install.log
program <<'JS'
import older from 'jmespath'
import { search } from '@jmespath-community/jmespath'
const volumes = [{ label: 'data-1', size: 20 }, { label: 'b', size: null }]
const answer = (library, query) => {
  try {
    return JSON.stringify(library(volumes, query))
  } catch {
    return 'an error'
  }
}
for (const query of ['[?label==`data-1`].label', "[?size > '5'].label", String.raw`'\\'`, "to_number('0x10')", "to_number('')"])
  console.log(query, ' jmespath:', answer(older.search, query), ' community:', answer(search, query))
JS
expect 'a literal without quotes between backticks, a comparison with a text, and a raw string of two backslashes have other results; both read 0x10 and an empty text as numbers, which JSON does not' <<'TEXT'
[?label==`data-1`].label  jmespath: ["data-1"]  community: an error
[?size > '5'].label  jmespath: ["data-1"]  community: []
'\\'  jmespath: "\\\\"  community: "\\"
to_number('0x10')  jmespath: 16  community: 16
to_number('')  jmespath: 0  community: 0
TEXT
