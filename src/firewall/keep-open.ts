/** Traffic that must stay allowed: `tcp/22@198.51.100.7`. Ports and address are optional; the default is any. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { formatNetwork, type IpNetwork, parseAddress, parseNetwork } from '../rules/addresses'
import type { Environment } from '../rules/environment'
import { portsFault, protocolsWithPorts } from '../rules/ports'
import { protocolAdvice, protocols, protocolWords } from '../rules/protocols'
import { splitOnce } from '../rules/texts'

export interface KeptOpen {
  /** Text as the user wrote it. */
  text: string
  rules: FirewallRules
}

const anywhere = '0.0.0.0/0,::/0'

/** Parses such traffic; returns a string with the reason if it is invalid. */
export function parseKeptOpen(text: string): KeptOpen | string {
  const [head, addresses = anywhere] = splitOnce(text, '@')
  const [name, ports] = splitOnce(head, '/')
  const protocol = protocols.find((one) => one.toLowerCase() === name.toLowerCase())
  if (!protocol) {
    const advice = protocolAdvice(name)
    return `it begins with a protocol: ${protocolWords.join(', ')}${advice ? `. ${advice}` : ''}`
  }
  if (ports !== undefined && !protocolsWithPorts.includes(protocol)) return `${name} has no ports`
  const fault = ports === undefined ? undefined : portsFault(ports)
  if (fault) return fault
  const networks: Record<IpNetwork['family'], string[]> = { ipv4: [], ipv6: [] }
  for (const one of addresses.split(',')) {
    const network = parseNetwork(one) ?? parseAddress(one)
    if (!network) return `"${one}" is neither an address nor a network`
    networks[network.family].push(formatNetwork(network))
  }
  const rule = { action: 'ACCEPT', protocol, ...(ports && { ports }), addresses: networks }
  return { text, rules: { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' } }
}

/** SSH connection through which skyctl is run, with the server's address. */
export interface SshConnection extends KeptOpen {
  server: IpNetwork
}

/** Parses `SSH_CONNECTION`: the client's address and port, then the server's. Undefined if it is not set or invalid. */
export function sshConnection({ SSH_CONNECTION = '' }: Environment): SshConnection | undefined {
  const [from = '', , to = '', port = ''] = SSH_CONNECTION.trim().split(/\s+/).map(bareAddress)
  const server = parseAddress(to)
  if (!parseAddress(from) || !server) return undefined
  const parsed = parseKeptOpen(`tcp/${port}@${from}`)
  return typeof parsed === 'string' ? undefined : { ...parsed, server }
}

/** Returns the address without its zone id, which SSH_CONNECTION may hold. */
const bareAddress = (text: string) => text.replace(/%.*/, '')
