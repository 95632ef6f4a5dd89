/**
 * Services that should not be open to the internet, by their default ports. The audit, the warnings of changes and the
 * order of traffic in messages use this table; docs/audit.md has the same ports. Sources are beside the rows.
 */
import type { PortRange } from '../rules/ports'

export interface KnownPort extends PortRange {
  kind: 'administration' | 'database' | 'internal' | 'amplifier'
  protocol: 'TCP' | 'UDP'
  /** Service that listens there by default. */
  name: string
  /** Loss that an open port causes, after "gives away": `a shell`. */
  gives: string
}

type Row = Omit<KnownPort, 'kind'>

const row =
  (protocol: Row['protocol']) =>
  (name: string, first: number, last: number, gives: string): Row => ({ protocol, name, first, last, gives })
const tcp = row('TCP')
const udp = row('UDP')

/** A login on these ports, or none at all, gives control of a machine or a cluster. */
const administration: readonly Row[] = [
  tcp('SSH', 22, 22, 'a shell'), // OpenSSH, sshd_config(5), Port
  tcp('Telnet', 23, 23, 'a shell'), // RFC 854
  tcp('SMB', 445, 445, 'files and control of Windows'), // Microsoft Learn, Network port requirements for Windows
  tcp('Docker', 2375, 2376, 'root on the host'), // Docker Docs, dockerd, Daemon socket option
  tcp('Docker Swarm', 2377, 2377, 'control of a cluster'), // Docker Docs, Getting started with Swarm mode
  tcp('RDP', 3389, 3389, 'a desktop'), // Microsoft Learn, Change the listening port in Remote Desktop
  tcp('Nomad', 4646, 4646, 'control of a cluster'), // HashiCorp Nomad, Configuration, ports
  tcp('Asterisk Manager', 5038, 5038, 'control of calls'), // Asterisk Documentation, Asterisk Manager Interface
  tcp('VNC', 5900, 5963, 'a desktop'), // RFC 6143; displays 0 to 63
  tcp('WinRM', 5985, 5986, 'a shell'), // Microsoft Learn, Installation and configuration for WinRM
  tcp('X11', 6000, 6063, 'a desktop'), // X.Org, Xserver(1); IANA registry, displays 0 to 63
  tcp('Kubernetes', 6443, 6443, 'control of a cluster'), // Kubernetes Documentation, Ports and Protocols
  tcp('Proxmox', 8006, 8006, 'control of virtual machines'), // Proxmox VE Administration Guide, Ports
  tcp('Vault', 8200, 8200, 'secrets'), // HashiCorp Vault, Reference architecture, Network connectivity
  tcp('Ray', 8265, 8265, 'a shell'), // Ray Documentation, Configuring Ray, Ports configurations
  tcp('Bitcoin RPC', 8332, 8332, 'wallets'), // Bitcoin Core, bitcoind -help, -rpcport
  tcp('Consul', 8500, 8500, 'control of a cluster'), // HashiCorp Consul, Required ports
  tcp('Ethereum RPC', 8545, 8546, 'wallets'), // go-ethereum Documentation, JSON-RPC Server
  tcp('Jupyter', 8888, 8888, 'a shell'), // Jupyter Server Documentation, Config file, ServerApp.port
  tcp('Portainer', 9443, 9443, 'root on the host'), // Portainer Documentation, Install Portainer CE
  tcp('Webmin', 10_000, 10_000, 'root on the host'), // Webmin Documentation, Installation
  tcp('kubelet', 10_250, 10_250, 'control of a cluster'), // Kubernetes Documentation, Ports and Protocols
  tcp('RabbitMQ management', 15_672, 15_672, 'messages'), // RabbitMQ Documentation, Networking
  tcp('RCON', 25_575, 25_575, 'control of a game server'), // Minecraft Wiki, server.properties, rcon.port
  udp('SNMP', 161, 161, 'settings of a device'), // RFC 3417
  udp('IPMI', 623, 623, 'console and power switch'), // IPMI Specification v2.0, 13.1.2 RMCP Port Numbers
]

/** Access to these ports gives access to the data, at most one guessed password away. */
const databases: readonly Row[] = [
  tcp('SQL Server', 1433, 1433, 'data'), // Microsoft Learn, Configure the Windows Firewall to allow SQL Server access
  tcp('Oracle', 1521, 1521, 'data'), // Oracle Database, Net Services Administrator's Guide
  tcp('ZooKeeper', 2181, 2181, 'configuration of a cluster'), // ZooKeeper Administrator's Guide, clientPort
  tcp('etcd', 2379, 2380, 'configuration of a cluster'), // etcd Documentation, Configuration options
  tcp('MySQL', 3306, 3306, 'data'), // MySQL Reference Manual, MySQL Port Reference
  tcp('PostgreSQL', 5432, 5432, 'data'), // PostgreSQL Documentation, Connections and Authentication
  tcp('Kibana', 5601, 5601, 'data'), // Elastic Docs, Kibana general settings, server.port
  tcp('CouchDB', 5984, 5984, 'data'), // CouchDB Documentation, HTTP server configuration
  tcp('Redis', 6379, 6379, 'data'), // Redis Documentation, redis.conf
  tcp('Neo4j', 7474, 7474, 'data'), // Neo4j Operations Manual, Ports
  tcp('Neo4j', 7687, 7687, 'data'), // Neo4j Operations Manual, Ports
  tcp('InfluxDB', 8086, 8086, 'data'), // InfluxDB OSS Documentation, Ports
  tcp('ClickHouse', 8123, 8123, 'data'), // ClickHouse Docs, Network ports
  tcp('Solr', 8983, 8983, 'data'), // Solr Reference Guide, Solr control script, -p
  tcp('Cassandra', 9042, 9042, 'data'), // Cassandra Documentation, cassandra.yaml, native_transport_port
  tcp('Elasticsearch', 9200, 9200, 'data'), // Elastic Docs, Networking settings, http.port
  tcp('Elasticsearch', 9300, 9300, 'data'), // Elastic Docs, Networking settings, transport.port
  tcp('Memcached', 11_211, 11_211, 'data'), // memcached(1), -p
  tcp('Redis Sentinel', 26_379, 26_379, 'control of Redis'), // Redis Documentation, High availability with Sentinel
  tcp('MongoDB', 27_017, 27_019, 'data'), // MongoDB Manual, Default MongoDB Port
  tcp('MySQL X', 33_060, 33_060, 'data'), // MySQL Reference Manual, MySQL Port Reference
  udp('Memcached', 11_211, 11_211, 'data'), // memcached(1), -U
]

/** Intended for internal networks: files, directories, queues, tunnels and proxies. */
const internalPorts: readonly Row[] = [
  tcp('FTP', 21, 21, 'files'), // RFC 959
  tcp('RPC', 111, 111, 'a list of services'), // RFC 1833
  tcp('MSRPC', 135, 135, 'services of Windows'), // Microsoft Learn, Network port requirements for Windows
  tcp('NetBIOS', 137, 139, 'files'), // RFC 1002
  tcp('LDAP', 389, 389, 'users and groups'), // RFC 4511
  tcp('LDAP', 636, 636, 'users and groups'), // IANA registry, ldaps
  tcp('rsync', 873, 873, 'files'), // rsyncd.conf(5), port
  tcp('SOCKS', 1080, 1080, 'your address for the traffic of others'), // RFC 1928
  tcp('NFS', 2049, 2049, 'files'), // RFC 7530
  tcp('Squid', 3128, 3128, 'your address for the traffic of others'), // Squid Configuration, http_port
  tcp('RabbitMQ', 5672, 5672, 'messages'), // RabbitMQ Documentation, Networking
  tcp('Kafka', 9092, 9092, 'messages'), // Kafka Documentation, Broker configs, listeners
  tcp('Ollama', 11_434, 11_434, 'models and computing time'), // Ollama Documentation, FAQ
  udp('NFS', 2049, 2049, 'files'), // RFC 1813
  udp('VXLAN', 4789, 4789, 'a private network'), // RFC 7348
  udp('VXLAN', 8472, 8472, 'a private network'), // Linux, ip-link(8), dstport; Flannel, Backends
]

/**
 * Services that answer a small packet with large ones, sent to the forged source address (CISA, alert TA14-017A).
 * Memcached and SNMP are in the lists above. DNS (53) and NTP (123) are public on purpose, and a firewall cannot tell
 * whether they amplify.
 */
const amplifiers: readonly Row[] = [
  udp('QOTD', 17, 17, 'bandwidth for attacks'), // RFC 865
  udp('chargen', 19, 19, 'bandwidth for attacks'), // RFC 864
  udp('TFTP', 69, 69, 'bandwidth for attacks'), // RFC 1350
  udp('RPC', 111, 111, 'bandwidth for attacks'), // RFC 1833
  udp('NetBIOS', 137, 137, 'bandwidth for attacks'), // RFC 1002
  udp('LDAP', 389, 389, 'bandwidth for attacks'), // Microsoft, MS-ADTS, LDAP ping (CLDAP)
  udp('SSDP', 1900, 1900, 'bandwidth for attacks'), // UPnP Device Architecture
  udp('WS-Discovery', 3702, 3702, 'bandwidth for attacks'), // OASIS, WS-Discovery 1.1
  udp('mDNS', 5353, 5353, 'bandwidth for attacks'), // RFC 6762
]

const rows = { administration, database: databases, internal: internalPorts, amplifier: amplifiers } as const

export const knownPortsOf = (...kinds: readonly KnownPort['kind'][]): KnownPort[] =>
  kinds.flatMap((kind) => rows[kind].map((one) => ({ ...one, kind })))

/** All known ports, in the order in which messages name them: access to the machine comes first. */
export const knownPorts: readonly KnownPort[] = knownPortsOf('administration', 'database', 'internal', 'amplifier')
