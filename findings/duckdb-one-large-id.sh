#!/usr/bin/env bash
# One id above 2^63 beside an id of a usual size, as CSV and as JSON, and labels that look like numbers.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact @duckdb/node-api@1.5.6-r.1 >>install.log
printf 'id,label\n9007199254740993,007\n' >small.csv
printf 'id,label\n9007199254740993,007\n18446744073709551615,1e5\n' >large.csv
echo '[{"id":9007199254740993,"label":"007"},{"id":18446744073709551615,"label":"1e5"}]' >large.json
program <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const sources = ["'small.csv'", "'large.csv'", "'large.json'", "read_csv('large.csv', types = {'id': 'UHUGEINT'})"]
for (const source of sources) {
  const reader = await connection.runAndReadAll(`select typeof(id), id::varchar, typeof(label), label from ${source} limit 1`)
  console.log(source, reader.getRowsJson()[0].join(' '))
}
JS
expect 'in CSV, the large id of another row makes each id a DOUBLE, so 9007199254740993 ends in 2; in JSON it is exact' <<'TEXT'
'small.csv' BIGINT 9007199254740993 VARCHAR 007
'large.csv' DOUBLE 9007199254740992.0 VARCHAR 007
'large.json' HUGEINT 9007199254740993 VARCHAR 007
read_csv('large.csv', types = {'id': 'UHUGEINT'}) UHUGEINT 9007199254740993 VARCHAR 007
TEXT
