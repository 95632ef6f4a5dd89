/** `tcp/22@198.51.100.7`: traffic that must be let in. What is left out may be anything: any port, from anywhere. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { formatNetwork, type Network, parseAddress, parseNetwork } from '../rules/addresses'
import type { Environment } from '../rules/environment'
import { portsFault, protocolsWithPorts } from '../rules/ports'
import { splitOnce } from '../rules/split'
import { protocols } from './cases'

export interface KeptOpen {
  /** As it was written. */
  text: string
  /** Rules that let in this traffic and nothing else. */
  rules: FirewallRules
}

const anywhere = '0.0.0.0/0,::/0'

/** A text says what is wrong. */
export function parseKeptOpen(text: string): KeptOpen | string {
  const [head, addresses = anywhere] = splitOnce(text, '@')
  const [name, ports] = splitOnce(head, '/')
  const protocol = protocols.find((one) => one.toLowerCase() === name.toLowerCase())
  if (!protocol) return `it begins with a protocol: ${protocols.join(', ').toLowerCase()}`
  if (ports !== undefined && !protocolsWithPorts.includes(protocol)) return `${name} has no ports`
  const fault = ports === undefined ? undefined : portsFault(ports)
  if (fault) return fault
  const networks: Record<Network['family'], string[]> = { ipv4: [], ipv6: [] }
  for (const one of addresses.split(',')) {
    const network = parseNetwork(one) ?? parseAddress(one)
    if (!network) return `"${one}" is neither an address nor a network`
    networks[network.family].push(formatNetwork(network))
  }
  const rule = { action: 'ACCEPT', protocol, ...(ports && { ports }), addresses: networks }
  return { text, rules: { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' } }
}

/** The connection that somebody works through, and the address at which it ends. */
export interface SshConnection extends KeptOpen {
  server: Network
}

/** Of `SSH_CONNECTION`: the client's address and port, and the server's. */
export function sshConnection({ SSH_CONNECTION = '' }: Environment): SshConnection | undefined {
  const [from = '', , to = '', port = ''] = SSH_CONNECTION.trim().split(/\s+/).map(bareAddress)
  const server = parseAddress(to)
  if (!parseAddress(from) || !server) return undefined
  const kept = parseKeptOpen(`tcp/${port}@${from}`)
  return typeof kept === 'string' ? undefined : { ...kept, server }
}

/** The address alone: servers tell IPv4 as an IPv6 socket has it (RFC 4291, 2.5.5.2), and a link's with its zone. */
const bareAddress = (text: string) => text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '')
