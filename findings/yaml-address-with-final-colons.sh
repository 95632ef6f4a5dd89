#!/usr/bin/env bash
# An IPv6 network that ends with "::", in a list of addresses without quotes.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact yaml@2.9.1 yaml-1@npm:yaml@1.10.3 js-yaml@5.5.0 >>install.log
program <<'JS'
import * as yaml from 'yaml'
import yaml1 from 'yaml-1'
import * as jsYaml from 'js-yaml'
for (const text of ['- 2001:db8::', '[2001:db8::]', '[2001:db8::/32]']) {
  const values = [yaml.parse(text), yaml1.parse(text), jsYaml.load(text)]
  console.log(text, values.map((value) => JSON.stringify(value)).join('  '))
}
JS
expect 'three readers take an item 2001:db8:: as a mapping with the key "2001:db8:", without a warning; in [ ] yaml 1 reads a text where yaml 2 and js-yaml read a mapping' <<'TEXT'
- 2001:db8:: [{"2001:db8:":null}]  [{"2001:db8:":null}]  [{"2001:db8:":null}]
[2001:db8::] [{"2001:db8:":null}]  ["2001:db8::"]  [{"2001:db8:":null}]
[2001:db8::/32] ["2001:db8::/32"]  ["2001:db8::/32"]  ["2001:db8::/32"]
TEXT
