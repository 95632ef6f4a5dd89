#!/usr/bin/env bash
# An id above 2^53 in TOML, the format of the configuration of some command lines of clouds.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact smol-toml@1.9.1 @iarna/toml@3.0.0 >>install.log
program <<'JS'
import { parse } from 'smol-toml'
import iarna from '@iarna/toml'
for (const text of ['id = 9007199254740991', 'id = 9007199254740993']) {
  for (const [name, read] of Object.entries({ 'smol-toml': parse, '@iarna/toml': iarna.parse })) {
    try {
      const { id } = read(text)
      console.log(text, name, typeof id, String(id))
    } catch (error) {
      console.log(text, name, error.message.split('\n')[0])
    }
  }
}
JS
expect 'above 2^53, @iarna/toml changes the type to bigint, which JSON.stringify refuses, and smol-toml refuses the whole document' <<'TEXT'
id = 9007199254740991 smol-toml number 9007199254740991
id = 9007199254740991 @iarna/toml number 9007199254740991
id = 9007199254740993 smol-toml Invalid TOML document: integer value cannot be represented losslessly
id = 9007199254740993 @iarna/toml bigint 9007199254740993
TEXT
