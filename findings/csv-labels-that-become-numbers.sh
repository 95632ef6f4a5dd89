#!/usr/bin/env bash
# Ids and labels in CSV, read with the conversion of types that two libraries offer.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact csv-parse@7.0.3 papaparse@5.7.1 >>install.log
program <<'JS'
import { parse } from 'csv-parse/sync'
import papa from 'papaparse'
const text = 'id,label\n9007199254740993,007\n12,0x10\n13,+3\n14,1_000\n'
console.log('csv-parse', JSON.stringify(parse(text, { columns: true, cast: true })))
console.log('papaparse', JSON.stringify(papa.parse(text, { header: true, dynamicTyping: true, skipEmptyLines: true }).data))
JS
expect 'csv-parse rounds an id above 2^53 and reads the label 0x10 as 0 and +3 as 3; papaparse keeps all three as text; both read 007 as 7' <<'TEXT'
csv-parse [{"id":9007199254740992,"label":7},{"id":12,"label":0},{"id":13,"label":3},{"id":14,"label":"1_000"}]
papaparse [{"id":"9007199254740993","label":7},{"id":12,"label":"0x10"},{"id":13,"label":"+3"},{"id":14,"label":"1_000"}]
TEXT
