/** Topic about names of networks. */
export const networks = `Networks

Rules of firewalls can name networks. An account file defines them, or a file of
their own such as networks.yaml, which all account files of a folder share:

  networks:
    office: [203.0.113.0/24, "2001:db8:1::/48"]
    vpn: [198.51.100.7]

A name begins with a letter, and has letters, digits, dots, dashes and
underscores. It stands for addresses, not for other names. The name anywhere is
0.0.0.0/0 and ::/0. A firewall holds addresses only: skyctl replaces the names
before it plans or sends a change.

In account files

  - { action: accept, protocol: tcp, ports: 22, from: [office, vpn, 192.0.2.7] }
  - { action: accept, protocol: tcp, ports: 443, to: [anywhere] }

Inbound rules have "from" and outbound rules "to" instead of addresses, also in
the rules files of other commands.

A group of rules has a name under "rules", and "use" puts its rules in the place
of one rule, in any firewall:

  rules:
    ssh-from-office:
      - { action: accept, protocol: tcp, ports: 22, from: [office] }
  firewalls:
    web: { rules: { inbound: [ { use: ssh-from-office } ] } }

On the command line

  skyctl firewalls open web --port 22 --from office --for 30m
  skyctl firewalls rules add web outbound --action accept --protocol tcp \\
    --to office,vpn
  skyctl firewalls rules remove web inbound label:old --keep-open tcp/22@vpn
  skyctl firewalls test web --port 22 --from vpn

The names are those of the file that the context sets, or else of networks.yaml
in the current folder. This file has only the key networks; -v prints its path.

  skyctl context update prod --networks ~/account/networks.yaml

Output shows the addresses that will be allowed or blocked. "firewalls view",
"firewalls rules list" and "audit" print the name of a network after a rule that
has exactly its addresses. A context stores the addresses of --keep-open.
`
