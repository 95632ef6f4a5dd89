/**
 * Services that should not be open to the internet, by their ports. docs/audit.md has the same list. Sources: IANA,
 * Service Name and Transport Protocol Port Number Registry, and the products' own documentation.
 */
import type { PortRange } from '../rules/ports'

export interface ListeningService extends PortRange {
  protocol: 'TCP' | 'UDP'
  name: string
}

const tcp = (name: string, first: number, last = first): ListeningService => ({ protocol: 'TCP', name, first, last })
const udp = (name: string, first: number, last = first): ListeningService => ({ protocol: 'UDP', name, first, last })

/** Access to these ports gives access to the data, at most one guessed password away. */
export const databases: readonly ListeningService[] = [
  ...[tcp('SQL Server', 1433), tcp('Oracle', 1521), tcp('ZooKeeper', 2181), tcp('etcd', 2379), tcp('MySQL', 3306)],
  ...[tcp('PostgreSQL', 5432), tcp('CouchDB', 5984), tcp('Redis', 6379), tcp('Neo4j', 7474), tcp('Neo4j', 7687)],
  ...[tcp('InfluxDB', 8086), tcp('Cassandra', 9042), tcp('Elasticsearch', 9200), tcp('Elasticsearch', 9300)],
  ...[tcp('Memcached', 11_211), udp('Memcached', 11_211), tcp('MongoDB', 27_017)],
]

/** A login on these ports gives control of the machine. Displays of VNC and X11 count from 0 to 63. */
export const administration: readonly ListeningService[] = [
  ...[tcp('SSH', 22), tcp('Telnet', 23), tcp('SMB', 445), tcp('Docker', 2375), tcp('Docker', 2376), tcp('RDP', 3389)],
  ...[tcp('VNC', 5900, 5963), tcp('WinRM', 5985), tcp('WinRM', 5986), tcp('X11', 6000, 6063), tcp('Kubernetes', 6443)],
  ...[tcp('kubelet', 10_250), tcp('RabbitMQ management', 15_672), udp('SNMP', 161), udp('IPMI', 623)],
]

/** Intended for internal networks: files, directories, queues. */
export const internalPorts: readonly ListeningService[] = [
  ...[tcp('FTP', 21), tcp('RPC', 111), tcp('NetBIOS', 137, 139), tcp('LDAP', 389), tcp('LDAP', 636), tcp('rsync', 873)],
  ...[tcp('NFS', 2049), udp('NFS', 2049), tcp('RabbitMQ', 5672)],
]

/**
 * Services that answer a small packet with large ones, sent to the forged source address (CISA, alert TA14-017A).
 * Memcached and SNMP are in the lists above. DNS (53) and NTP (123) are public on purpose, and a firewall cannot tell
 * whether they amplify.
 */
export const amplificationPorts: readonly ListeningService[] = [
  ...[udp('QOTD', 17), udp('chargen', 19), udp('TFTP', 69), udp('RPC', 111), udp('NetBIOS', 137), udp('LDAP', 389)],
  ...[udp('SSDP', 1900), udp('WS-Discovery', 3702), udp('mDNS', 5353)],
]
