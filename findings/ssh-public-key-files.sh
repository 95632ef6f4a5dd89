#!/usr/bin/env bash
# Forms of a public key file that ssh-keygen reads as one key, and a file of two keys, in two libraries.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact sshpk@1.18.0 ssh2@1.17.0 >>install.log
program <<'JS'
import { parseKey } from 'sshpk'
import ssh2 from 'ssh2'
// Test keys that were made for this script; the private halves do not exist any more.
const [type, body] = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM6qRFcWjkaOeFrblpavl6UvsZNsU1nBqLz6qGXskBAI'.split(' ')
const [otherType, otherBody] = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFvZ91D/HsZdDFE0XFjic6eO4++7yySnHC2qcMAr4oPz'.split(' ')
const forms = {
  'one blank': `${type} ${body} laptop`,
  'two blanks': `${type}  ${body}  laptop`,
  'tabs': `${type}\t${body}\tlaptop`,
  'a comment line before it': `# keys of the office\n${type} ${body} laptop`,
  'two keys': `${type} ${body} laptop\n${otherType} ${otherBody} phone\n`,
}
const answer = (read) => {
  try {
    return read()
  } catch {
    return 'refused'
  }
}
for (const [name, text] of Object.entries(forms)) {
  const comment = answer(() => parseKey(text, 'ssh').comment.replace(otherBody, 'BASE64'))
  const read = ssh2.utils.parseKey(text)
  console.log(`${name}: sshpk: ${comment}; ssh2: ${read instanceof Error ? 'refused' : read.comment}`)
}
JS
expect 'sshpk reads a file of two keys as one key whose comment is the second key; neither takes a comment line, and ssh2 no two blanks' <<'TEXT'
one blank: sshpk: laptop; ssh2: laptop
two blanks: sshpk: laptop; ssh2: refused
tabs: sshpk: laptop; ssh2: refused
a comment line before it: sshpk: refused; ssh2: refused
two keys: sshpk: laptop ssh-ed25519 BASE64 phone; ssh2: refused
TEXT
