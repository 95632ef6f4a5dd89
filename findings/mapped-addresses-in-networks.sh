#!/usr/bin/env bash
# Whether an IPv4 network contains an IPv4 address in its IPv6 form, as a listener of both families reports it.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact cidr-tools@11.3.2 fast-cidr-tools@0.3.4 netmask@2.1.1 ipaddr.js@2.5.0 >>install.log
program <<'JS'
import { BlockList } from 'node:net'
import { containsCidr } from 'cidr-tools'
import { contains } from 'fast-cidr-tools'
import ipaddr from 'ipaddr.js'
import netmask from 'netmask'
const network = '10.0.0.0/8'
const list = new BlockList()
list.addSubnet('10.0.0.0', 8)
const libraries = {
  'node:net BlockList': (address) => list.check(address, 'ipv6'),
  'cidr-tools': (address) => containsCidr(network, address),
  'fast-cidr-tools': (address) => contains(network, address),
  netmask: (address) => new netmask.Netmask(network).contains(address),
  'ipaddr.js parse': (address) => ipaddr.parse(address).match(ipaddr.parseCIDR(network)),
  'ipaddr.js process': (address) => ipaddr.process(address).match(ipaddr.parseCIDR(network)),
}
for (const [name, contains] of Object.entries(libraries)) {
  const answers = ['::ffff:10.1.2.3', '::ffff:a01:203'].map((address) => {
    try {
      return contains(address)
    } catch (error) {
      return error.message
    }
  })
  console.log(name, answers.join(', '))
}
JS
expect 'only BlockList of Node and process of ipaddr.js see the IPv4 address; of the others, cidr-tools says no, and three throw' <<'TEXT'
node:net BlockList true, true
cidr-tools false, false
fast-cidr-tools Invalid IP address, Invalid IP address
netmask empty octet, Invalid net address: ::ffff:a01:203
ipaddr.js parse ipaddr: cannot match ipv6 address with non-ipv6 one, ipaddr: cannot match ipv6 address with non-ipv6 one
ipaddr.js process true, true
TEXT
