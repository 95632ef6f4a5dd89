#!/usr/bin/env bash
# Texts of one IPv6 address, and the form in which five libraries write it. RFC 5952 has rules for one form.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact ipaddr.js@2.5.0 ip-address@10.7.6 ip6addr@0.2.5 cidr-tools@11.3.2 >>install.log
program <<'JS'
import { normalizeCidr } from 'cidr-tools'
import { Address6 } from 'ip-address'
import ip6addr from 'ip6addr'
import ipaddr from 'ipaddr.js'
const libraries = {
  'URL of Node': (text) => new URL(`http://[${text}]`).hostname.slice(1, -1),
  'ipaddr.js': (text) => ipaddr.parse(text).toRFC5952String(),
  'ip-address': (text) => new Address6(text).correctForm(),
  ip6addr: (text) => ip6addr.parse(text).toString(),
  'cidr-tools': (text) => normalizeCidr(text),
}
const answer = (write, text) => {
  try {
    return write(text)
  } catch {
    return 'refused'
  }
}
for (const text of ['2001:db8:0:1:1:1:1:1', '::ffff:192.0.2.1', '64:ff9b::192.0.2.1', '::192.0.2.1'])
  for (const [name, write] of Object.entries(libraries)) console.log(text, name, answer(write, text))
JS
expect 'ip6addr writes :: for one group of zeros, which RFC 5952 forbids, and refuses an address of NAT64; a mapped address has two forms; ipaddr.js makes another address of ::192.0.2.1' <<'TEXT'
2001:db8:0:1:1:1:1:1 URL of Node 2001:db8:0:1:1:1:1:1
2001:db8:0:1:1:1:1:1 ipaddr.js 2001:db8:0:1:1:1:1:1
2001:db8:0:1:1:1:1:1 ip-address 2001:db8:0:1:1:1:1:1
2001:db8:0:1:1:1:1:1 ip6addr 2001:db8::1:1:1:1:1
2001:db8:0:1:1:1:1:1 cidr-tools 2001:db8:0:1:1:1:1:1
::ffff:192.0.2.1 URL of Node ::ffff:c000:201
::ffff:192.0.2.1 ipaddr.js ::ffff:c000:201
::ffff:192.0.2.1 ip-address ::ffff:c000:201
::ffff:192.0.2.1 ip6addr ::ffff:192.0.2.1
::ffff:192.0.2.1 cidr-tools ::ffff:192.0.2.1
64:ff9b::192.0.2.1 URL of Node 64:ff9b::c000:201
64:ff9b::192.0.2.1 ipaddr.js 64:ff9b::c000:201
64:ff9b::192.0.2.1 ip-address 64:ff9b::c000:201
64:ff9b::192.0.2.1 ip6addr refused
64:ff9b::192.0.2.1 cidr-tools 64:ff9b::c000:201
::192.0.2.1 URL of Node ::c000:201
::192.0.2.1 ipaddr.js ::ffff:c000:201
::192.0.2.1 ip-address ::c000:201
::192.0.2.1 ip6addr refused
::192.0.2.1 cidr-tools ::c000:201
TEXT
