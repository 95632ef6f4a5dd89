#!/usr/bin/env bash
# The private networks as RFC 1918 itself writes them, in four libraries: each has to read them or to refuse them.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact netmask@2.1.1 ipaddr.js@2.5.0 cidr-tools@11.3.2 ip-address@10.7.6 >>install.log
program <<'JS'
import { normalizeCidr } from 'cidr-tools'
import { Address4 } from 'ip-address'
import ipaddr from 'ipaddr.js'
import netmask from 'netmask'
const libraries = {
  netmask: (text) => new netmask.Netmask(text).toString(),
  'ipaddr.js': (text) => ipaddr.IPv4.networkAddressFromCIDR(text) + '/' + ipaddr.parseCIDR(text)[1],
  'cidr-tools': (text) => normalizeCidr(text),
  'ip-address': (text) => new Address4(text).startAddress().address,
}
const answer = (read, text) => {
  try {
    return read(text)
  } catch {
    return 'refused'
  }
}
for (const text of ['10/8', '172.16/12', '192.168/16'])
  console.log(text, Object.entries(libraries).map(([name, read]) => `${name} ${answer(read, text)}`).join(', '))
JS
expect 'netmask and ipaddr.js fill the address with zeros in its middle, as for a host, and cidr-tools in its front; only ip-address refuses all three' <<'TEXT'
10/8 netmask 0.0.0.0/8, ipaddr.js 0.0.0.0/8, cidr-tools refused, ip-address refused
172.16/12 netmask 172.0.0.0/12, ipaddr.js 172.0.0.0/12, cidr-tools 0.0.0.0/12, ip-address refused
192.168/16 netmask 192.0.0.0/16, ipaddr.js 192.0.0.0/16, cidr-tools 0.0.0.0/16, ip-address refused
TEXT
