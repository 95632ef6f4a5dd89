#!/usr/bin/env bash
# A configuration file with a section for each user, as linode-cli writes it with Python's configparser, read with npm's ini.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact ini@6.0.0 >>install.log
program <<'JS'
import { execFileSync } from 'node:child_process'
import ini from 'ini'
const text = '[DEFAULT]\ndefault-user = j.doe\n\n[j.doe]\nlabel = a;b #1\nnumber = 5\nactive = true\n'
const script = `import configparser, json, sys
c = configparser.ConfigParser(); c.read_string(sys.argv[1])
print(json.dumps({s: {k: v for k, v in c[s].items() if k != "default-user"} for s in c.sections()}))`
console.log('configparser', execFileSync('python3', ['-c', script, text], { encoding: 'utf8' }).trim())
const { DEFAULT: _, ...sections } = ini.parse(text)
console.log('ini', JSON.stringify(sections))
JS
expect 'ini reads [j.doe] as a section doe within j, cuts a value at ; or #, and makes a boolean of true, but no number of 5' <<'TEXT'
configparser {"j.doe": {"label": "a;b #1", "number": "5", "active": "true"}}
ini {"j":{"doe":{"label":"a","number":"5","active":true}}}
TEXT
