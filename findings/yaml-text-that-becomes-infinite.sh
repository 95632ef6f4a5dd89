#!/usr/bin/env bash
# A label that looks like a number with a large exponent, written by one YAML library and read by another.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact yaml@2.9.1 js-yaml@5.5.0 js-yaml-4@npm:js-yaml@4.1.0 >>install.log
program <<'JS'
import * as yaml from 'yaml'
import * as jsYaml from 'js-yaml'
import jsYaml4 from 'js-yaml-4'
const label = { label: '12e4567' }
for (const [name, { dump }] of Object.entries({ 'js-yaml 4': jsYaml4, 'js-yaml 5': jsYaml }))
  console.log(name, dump(label).trim(), '->', typeof yaml.parse(dump(label)).label, yaml.parse(dump(label)).label)
JS
expect 'js-yaml 5 writes the text 12e4567 without quotes, which version 4 quoted, and yaml reads it as Infinity' <<'TEXT'
js-yaml 4 label: '12e4567' -> string 12e4567
js-yaml 5 label: 12e4567 -> number Infinity
TEXT
