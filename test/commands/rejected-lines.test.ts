/** Errors before any change is sent, with field and reason for programs (interface.md, Errors). */
import { describe, expect } from 'vitest'
import { ruleSet, ssh } from '../support/firewall-rules'
import type { World } from '../support/sandbox'
import { test as base } from '../support/suggestions'

const test = base.extend<{
  /** Two instances in two regions, their volumes, and the unattached volume "free" (7001). */
  arranged: World
  arrange(world: World): void
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  arrange: async ({}, use) =>
    use((world) => {
      world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
      world.compute({ id: 9002, label: 'app-2', region: 'eu-west' })
      world.volume({ id: 7001, label: 'free', region: 'us-east', size: 40 })
      world.volume({ id: 7002, label: 'held', region: 'us-east', compute_id: 9001 })
      world.volume({ id: 7003, label: 'there', region: 'eu-west', compute_id: 9002 })
      const twins = [ssh, { ...ssh, ports: '80' }]
      world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(...twins) as never })
      world.network.address({ address: '203.0.113.11', compute_id: 9001, region: 'us-east' })
    }),
  arranged: async ({ world, arrange }, use) => {
    arrange(world)
    await use(world)
  },
})

interface RejectedLine {
  line: string | readonly string[]
  stdin?: string
  exit?: number
  code?: string
  message: string
  errors?: readonly object[]
  hint?: string
}

const cases: readonly RejectedLine[] = [
  {
    line: 'volumes resize free --size 20',
    exit: 6,
    code: 'conflict',
    message: 'volume "free" has 40 GiB, and a volume cannot shrink',
    errors: [{ field: 'size', reason: 'Must be greater than 40' }],
  },
  {
    line: 'volumes attach held --compute-id 9002',
    exit: 6,
    code: 'conflict',
    message: 'volume "held" (7002) is attached to compute instance 9001',
    errors: [{ field: 'compute_id', reason: 'The volume is attached to another compute instance' }],
    hint: 'Detach it first: skyctl volumes detach 7002',
  },
  {
    line: 'volumes update free',
    message: 'nothing to change',
    hint: 'Pass --label, --tag, --add-tag, --remove-tag or --no-tags',
  },
  {
    line: 'volumes create --label new --region us-esat',
    exit: 5,
    code: 'not_found',
    message: 'region: "us-esat" is not a region',
    errors: [{ field: 'region', reason: 'region is not valid' }],
    hint: expect.stringContaining('Did you mean "us-east"'),
  },
  {
    line: 'profile update --body -',
    stdin: '{"ip_whitelist_enabled":true}',
    message: 'ip_whitelist_enabled: it is deprecated and cannot be switched on',
    errors: [{ field: 'ip_whitelist_enabled', reason: 'Cannot be enabled' }],
  },
  { line: 'profile update', message: 'nothing to change', hint: 'See skyctl profile update --help' },
  {
    line: ['profile', 'sshkeys', 'add', '--label', 'mine', '--ssh-key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    message: 'ssh_key: that is a private SSH key; it was not sent anywhere',
    errors: [{ field: 'ssh_key', reason: 'Must be a public key' }],
    hint: 'Pass the public key, as in a file that ends with .pub, and keep the private one secret',
  },
  {
    line: 'profile security-questions answer',
    message: 'security_questions is required',
    errors: [{ field: 'security_questions', reason: 'security_questions is required' }],
    hint: 'Pass the answers in a file with --body, or on stdin with --body -',
  },
  { line: 'profile preferences set', message: 'no preferences to send', hint: 'Pass --body FILE, or - for stdin' },
  {
    line: 'ips rdns 203.0.113.11 nowhere',
    message: expect.any(String),
    errors: [{ field: 'rdns', reason: 'Domain is not valid.' }],
  },
  {
    line: 'ips rdns --body -',
    stdin: '{"rdns":"www.example.net"}',
    message: 'an address is needed',
    errors: [{ field: 'address', reason: 'address is required' }],
    hint: 'Pass an address, or --body with "address" and "rdns"',
  },
  {
    line: 'ips rdns 203.0.113.11',
    message: 'a name is needed',
    hint: expect.stringContaining('For example: skyctl ips rdns 203.0.113.11 mail.example.net '),
  },
  {
    line: 'ips assign 203.0.113.11',
    message: '"203.0.113.11" is not an assignment',
    hint: 'Write ADDRESS=INSTANCE: 203.0.113.11=1002',
  },
  {
    line: 'ips assign 192.0.2.31 web-2',
    message: '"192.0.2.31" is not an assignment',
    hint: 'Write ADDRESS=INSTANCE: skyctl ips assign 192.0.2.31=web-2',
  },
  {
    line: 'ips assign 203.0.113.11=9001 203.0.113.11=9002 --region us-east',
    message: expect.stringContaining('203.0.113.11 is assigned twice'),
    errors: expect.arrayContaining([
      { field: 'assignments[1].address', reason: '203.0.113.11 is assigned twice' },
      { field: 'assignments', reason: 'compute instance 9001 would have no public IPv4 address' },
    ]),
  },
  {
    line: 'ips share --compute-id 9001',
    message: 'addresses are missing',
    hint: expect.stringContaining('For example: skyctl ips share 192.0.2.31 '),
  },
  {
    line: 'ips share - --compute-id 9001',
    stdin: '\n',
    message: 'stdin names no address',
    hint: 'To end all sharing, pass --none',
  },
  {
    line: 'ipv6 ranges view 192.0.2.1',
    message: '"192.0.2.1" is not an IPv6 range',
    hint: 'Write its address, as in 2001:db8::, with or without /56 or /64',
  },
  {
    line: 'tokens create --label ci --scope volumes:read_only --expiry tomorrow',
    message: expect.stringMatching(/^--expiry: "tomorrow" must /),
    errors: [{ field: 'expiry', reason: expect.stringMatching(/^Must /) }],
  },
  {
    line: 'firewalls rules remove edge inbound label:ssh',
    exit: 6,
    code: 'refused',
    message: expect.stringMatching(
      /^2 inbound rules of firewall "edge" \(9100\) have the label "ssh": 1 \(.*\), 2 \(.*\)$/,
    ),
    errors: [
      { field: 'inbound[0]', reason: expect.stringContaining('TCP 22') },
      { field: 'inbound[1]', reason: expect.stringContaining('TCP 80') },
    ],
    hint: expect.stringMatching(
      /^Be more specific, such as match:tcp\/22@192\.0\.2\.0\/24, or use a number with --if-match \w+$/,
    ),
  },
  {
    line: 'firewalls rules remove edge inbound label:ssh --if-present',
    exit: 6,
    code: 'refused',
    message: expect.stringMatching(/^2 inbound rules of firewall "edge" \(9100\) have the label "ssh": /),
    errors: expect.any(Array),
  },
  {
    line: 'firewalls rules remove edge inbound 1',
    message: '1 may be the number of another rule by now, and there is no question to confirm it',
    hint: 'Name it by label:NAME or match:tcp/22, or add --if-match HASH, which "firewalls rules list --hash" prints',
  },
  {
    line: 'firewalls rules remove edge inbound match:tcp/x',
    message: expect.stringContaining('"match:tcp/x": '),
    hint: 'Write match:PROTOCOL[/PORTS][@NETWORKS], such as match:tcp/22 or match:udp/53@192.0.2.0/24,2001:db8::/32',
  },
  { line: 'firewalls rules remove edge inbound label:', message: 'the name of the rule is empty' },
  {
    line: 'firewalls rules remove edge inbound label:sshh',
    exit: 5,
    code: 'not_found',
    message: 'no inbound rule of firewall "edge" (9100) has the label "sshh"',
    hint: expect.stringMatching(/^Did you mean "ssh"\? There are 1 \(.*\), 2 \(.*\)$/),
  },
  {
    line: 'firewalls rules remove edge inbound match:udp/53',
    exit: 5,
    code: 'not_found',
    message: 'no inbound rule of firewall "edge" (9100) matches "udp/53"',
    hint: expect.stringMatching(/^There are 1 /),
  },
  {
    line: 'firewalls rules remove edge outbound label:ssh',
    exit: 5,
    code: 'not_found',
    message: 'no outbound rule of firewall "edge" (9100) has the label "ssh"',
    hint: 'There is none',
  },
  { line: 'volumes wait free --for gone', message: '--for: "gone" is not one of active, attached, detached, deleted' },
  {
    line: 'firewalls update edge',
    message: 'nothing to change',
    hint: expect.stringMatching(/^Pass --label, --status, .*for rules, see "firewalls rules"$/),
  },
  {
    line: 'firewalls devices add edge',
    message: 'one service is needed',
    hint: expect.stringMatching(/For example: skyctl firewalls devices add edge .*--compute-id 1004,1009$/),
  },
  {
    line: 'firewalls devices add edge --compute-id 9001 --balancer-id 5001',
    message: 'one service is needed',
    hint: 'Pass either --compute-id or --balancer-id',
  },
  {
    line: 'firewalls test --protocol tcp --port 22 --from 198.51.100.7',
    message: 'rules are required',
    hint: 'Pass either a firewall or --file FILE',
  },
  { line: 'firewalls test edge --cases -', stdin: '[]', message: expect.stringMatching(/ must hold a list of cases$/) },
  {
    line: 'firewalls rules move edge inbound match:tcp/80',
    message: '--at is required',
    hint: expect.stringMatching(/^For example: skyctl firewalls rules move edge inbound match:tcp\/80 .*--at 1$/),
  },
  {
    line: 'firewalls rules move edge inbound match:tcp/80 --at 3',
    message: '--at 3 is after the end: there are 2 positions',
  },
  {
    line: 'firewalls rules remove edge inbond label:ssh',
    message: '"inbond" is not a direction',
    hint: 'Did you mean "inbound"?',
  },
  { line: 'firewalls rules remove edge inbound 0', message: '"0" is not the number of a rule: rules count from 1' },
  { line: 'firewalls rules update edge', message: 'no rules to send', hint: 'Add --file FILE, or - for stdin' },
  {
    line: 'firewalls rules update edge --file - --if-match x',
    stdin: '{}',
    message: '--if-match: "x" is not a hash',
    hint: 'Use the output of: skyctl firewalls rules list edge --hash',
  },
  {
    line: 'firewalls rules remove edge inbound match:tcp/80 --keep-open ssh',
    message: expect.stringMatching(/^--keep-open: "ssh" names no traffic: /),
    hint: 'Write it as tcp/22@198.51.100.7',
  },
  {
    line: 'firewalls rules undo edge',
    exit: 5,
    code: 'not_found',
    message: 'no change of firewall "edge" (9100) was made from this machine with this account',
  },
  {
    line: 'firewalls rules undo',
    exit: 5,
    code: 'not_found',
    message: 'no change of firewall rules was made from this machine with this account',
  },
  {
    line: 'volumes update free --tag a --add-tag b',
    message: '--add-tag and --remove-tag cannot be used with --tag or --no-tags, which set the whole list',
  },
  { line: 'auth logout --context sandbox', message: 'the context "sandbox" is built in and has no token to forget' },
  {
    line: 'context use nowhere',
    exit: 5,
    code: 'context_not_found',
    message: 'context "nowhere" not found',
    hint: 'See skyctl context list',
  },
  { line: 'ips share 203.0.113.11 --none --compute-id 9001', message: 'addresses and --none contradict each other' },
  {
    line: 'ips allocate --compute-id 9001 --public --private',
    message: '--private and --public contradict each other',
  },
  {
    line: 'ips allocate --compute-id 9001',
    message: '--public or --private is required',
    hint: expect.stringMatching(/^For example: skyctl ips allocate .*--compute-id 9001.* --public$/),
    errors: [{ field: 'public', reason: 'public is required' }],
  },
  { line: 'ips assign 203.0.113.11=9001 --family ipv6', message: '--family: "ipv6" is not one of ipv4' },
  { line: 'ips rdns 203.0.113.11 www.example.net --reset', message: 'a name and --reset contradict each other' },
  {
    line: 'profile sshkeys add --label mine --ssh-key - --file key.pub',
    message: '--ssh-key and --file contradict each other',
  },
  {
    line: 'profile update --authorized-keys-file keys --no-authorized-keys',
    message: '--authorized-key, --authorized-keys-file and --no-authorized-keys exclude each other',
  },
  {
    line: 'profile update --remove-authorized-key key --no-authorized-keys',
    message: '--add-authorized-key and --remove-authorized-key contradict a whole list of keys',
  },
  { line: 'tokens list --superseded --expiring 14d', message: '--superseded contradicts --expiring' },
  { line: 'tokens list --superseded --exit-code', message: '--superseded contradicts --exit-code' },
  { line: 'tokens list --superseded --page 2', message: '--superseded contradicts --page' },
  { line: 'tokens list --exit-code', message: '--exit-code needs --expiring', hint: 'For example --expiring 14d' },
  { line: 'tokens list --expiring 14d --page 2', message: '--expiring checks every token, so it contradicts --page' },
  {
    line: ['tokens', 'create', '--label', 'ci', '--scopes-for', 'regions list'],
    message: '--scopes-for: "regions list" needs no scope: any token will do',
    hint: 'Name a scope with --scope',
  },
  {
    line: 'tokens create --label ci --columns id',
    message: 'the output would not show the new token, which is shown only once',
    hint: 'Add --output-file FILE',
  },
  { line: 'tokens rotate 9 --keep-old 0s', message: '--keep-old: leave it out to revoke the old token at once' },
  {
    line: 'export account.yaml',
    message: '"account.yaml" is not a kind of resource',
    hint: 'The result goes to stdout: skyctl export > account.yaml',
  },
  { line: 'export volums', message: '"volums" is not a kind of resource', hint: expect.stringContaining('volumes') },
  { line: 'apply - --wait-timeout soon', stdin: '{}', message: expect.stringContaining('"soon"') },
  {
    line: 'apply - --keep-open ssh',
    stdin: '{}',
    message: expect.stringMatching(/^--keep-open: "ssh" names no traffic: /),
    hint: 'Write it as tcp/22@198.51.100.7',
  },
  { line: 'apply - --confirm-within 25h --keep-if true', stdin: '{}', message: '--confirm-within: must be 1s to 24h' },
  { line: ['apply', '-', '--keep-if', ' '], stdin: '{}', message: '--keep-if: the command is empty' },
  {
    line: 'apply - --confirm-within 5m',
    stdin: '{}',
    message: '--confirm-within: there is no terminal for the confirmation',
    hint: 'Add --keep-if with a command that checks the change',
  },
  { line: 'plan - -', stdin: '{}', message: '"-" is named twice: stdin is read once' },
  { line: 'api --openapi GET', message: '--openapi takes no method and no path' },
  { line: 'api GET', message: 'a method and a path are needed', hint: 'For example: skyctl api GET /profile' },
  { line: 'api FETCH /profile', message: expect.stringMatching(/^"FETCH" is not a method: GET, /) },
  { line: 'api GET /profile --body -', stdin: '{}', message: '--body: a GET carries no body' },
  { line: 'api DELETE /volumes/7001 --paginate', message: '--paginate: only a GET has pages' },
  { line: 'api GET /profile --header x', message: '--header: write it as NAME: VALUE' },
  {
    line: ['api', 'GET', '/profile', '--header', 'Authorization: x'],
    message: '--header: Authorization is set by skyctl',
  },
  {
    line: 'regions view us_east',
    message: '"us_east" is not a region id: letters, digits and single hyphens, as in us-east',
  },
  { line: 'history view 0', message: '"0" is not a change number', hint: 'See skyctl history list' },
  {
    line: 'history view 99',
    exit: 5,
    code: 'not_found',
    message: 'change 99 is not in the history',
    hint: 'See skyctl history list',
  },
  {
    line: 'history undo 1 --apply a',
    message: 'pass either the number of a change or --apply',
    hint: 'See skyctl history list',
  },
  { line: 'help find', message: 'the search words are missing', hint: 'Write it as in: skyctl help find reverse dns' },
]

describe('A command fails before it sends a change:', () => {
  test.for(cases)(
    '$line',
    async ({ line, stdin, exit = 2, code = 'usage', message, errors, hint }, { skyctl, arranged, follow }) => {
      const words = typeof line === 'string' ? line.split(' ') : line
      const result = await skyctl([...words, '--yes', '--json'], { stdin })
      const { error } = JSON.parse(result.stderr.trimEnd().split('\n').at(-1) ?? '')
      expect({ exit: result.exit, stdout: result.stdout, error }).toEqual({
        exit,
        stdout: '',
        error: expect.objectContaining({ code, message }),
      })
      expect(error.errors ?? []).toEqual(errors ?? [])
      if (hint !== undefined) expect(error.hint).toEqual(hint)
      expect(arranged.requests().filter(({ method }) => method !== 'GET')).toEqual([])
      await follow(error.hint ?? '')
    },
  )
})
