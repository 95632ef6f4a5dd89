#!/usr/bin/env bash
# Lists of ports as configurations of firewalls have them: ufw and firewalld, iptables, pf, and an open range of pf.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact parse-numeric-range@1.3.0 multi-integer-range@6.1.0 >>install.log
program <<'JS'
import * as multi from 'multi-integer-range'
import range from 'parse-numeric-range'
const compact = (ports) => JSON.stringify(ports)
for (const text of ['22,80', '22-24', '22 - 24', '22:24', '22 80', '1024-', '24-22']) {
  let ports
  try {
    ports = compact(multi.parse(text))
  } catch {
    ports = 'refused'
  }
  console.log(`${text}  parse-numeric-range: ${compact(range(text))}  multi-integer-range: ${ports}`)
}
JS
expect 'parse-numeric-range returns no port and no error for four of seven lists; multi-integer-range reads 22 80 as the port 2280' <<'TEXT'
22,80  parse-numeric-range: [22,80]  multi-integer-range: [[22,22],[80,80]]
22-24  parse-numeric-range: [22,23,24]  multi-integer-range: [[22,24]]
22 - 24  parse-numeric-range: []  multi-integer-range: [[22,24]]
22:24  parse-numeric-range: []  multi-integer-range: refused
22 80  parse-numeric-range: []  multi-integer-range: [[2280,2280]]
1024-  parse-numeric-range: []  multi-integer-range: refused
24-22  parse-numeric-range: [24,23,22]  multi-integer-range: [[22,24]]
TEXT
