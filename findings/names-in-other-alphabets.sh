#!/usr/bin/env bash
# Names for reverse DNS in other alphabets, with capitals, with a sharp s, and with letters in two parts, as file systems of macOS have them.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact punycode@2.3.1 tr46@6.0.0 idna-uts46-hx@6.0.8 >>install.log
program <<'JS'
import { execFileSync } from 'node:child_process'
import { domainToASCII } from 'node:url'
import * as uts46 from 'idna-uts46-hx'
import punycode from 'punycode/punycode.js'
import tr46 from 'tr46'
const codec = (name) => execFileSync('python3', ['-c', 'import sys; print(sys.argv[1].encode("idna").decode())', name])
const libraries = {
  node: domainToASCII,
  tr46: (name) => tr46.toASCII(name),
  punycode: (name) => punycode.toASCII(name),
  'idna-uts46-hx': (name) => uts46.toAscii(name),
  'idna of Python': (name) => String(codec(name)).trim(),
}
for (const name of ['münchen.example', 'MÜNCHEN.example', 'straße.example', 'ma\u0308r.example'])
  console.log(name, Object.entries(libraries).map(([library, encode]) => `${library} ${encode(name)}`).join(', '))
JS
expect 'punycode alone makes another name of a capital and of decomposed letters; idna-uts46-hx and Python write ss where the others keep the sharp s' <<'TEXT'
münchen.example node xn--mnchen-3ya.example, tr46 xn--mnchen-3ya.example, punycode xn--mnchen-3ya.example, idna-uts46-hx xn--mnchen-3ya.example, idna of Python xn--mnchen-3ya.example
MÜNCHEN.example node xn--mnchen-3ya.example, tr46 xn--mnchen-3ya.example, punycode xn--MNCHEN-psa.example, idna-uts46-hx xn--mnchen-3ya.example, idna of Python xn--mnchen-3ya.example
straße.example node xn--strae-oqa.example, tr46 xn--strae-oqa.example, punycode xn--strae-oqa.example, idna-uts46-hx strasse.example, idna of Python strasse.example
mär.example node xn--mr-via.example, tr46 xn--mr-via.example, punycode xn--mar-eec.example, idna-uts46-hx xn--mr-via.example, idna of Python xn--mr-via.example
TEXT
