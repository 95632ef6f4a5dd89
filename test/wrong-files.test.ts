/** Exact messages for wrong account files: file, line, path and, if possible, the fix. */
import { describe, expect } from 'vitest'
import { test } from './support/account-files'

const rule = (changes: string) => `action: accept, protocol: tcp, addresses: { ipv4: [192.0.2.0/24] }${changes}`
const inRules = (rules: string) => `firewalls:\n  web:\n    rules:\n      inbound:\n        - { ${rules} }\n`

type Row = [what: string, text: string, ...problems: string[]]

const unknownKeys: Row[] = [
  ['of the file', 'volums: {}', 'a.yaml:1: volums: unknown key. Did you mean "volumes"?'],
  [
    'that resembles none',
    'volumes: {}\nzzz: {}',
    'a.yaml:2: zzz: unknown key. The keys are: owner, defaults, networks, rules, volumes, firewalls, sshkeys, ips, rdns, tokens, profile',
  ],
  ['of the defaults', 'defaults:\n  regoin: us-east', 'a.yaml:2: defaults.regoin: unknown key. Did you mean "region"?'],
  [
    'of a volume',
    'volumes:\n  pgdata:\n    region: us-east\n    siez: 60',
    'a.yaml:4: volumes.pgdata.siez: unknown key. Did you mean "size"?',
  ],
  [
    'of an SSH key, that names a file',
    'sshkeys:\n  laptop:\n    fiel: id.pub',
    'a.yaml:2: sshkeys.laptop.ssh_key: is required',
    'a.yaml:3: sshkeys.laptop.fiel: unknown key. Did you mean "file"?',
  ],
  [
    'of the profile, above an object',
    'profile:\n  time_zone:\n    name: UTC',
    'a.yaml:2: profile.time_zone: unknown key. Did you mean "timezone"?',
  ],
  [
    'of rules, of a rule and of its addresses',
    `${inRules(rule(', prots: 22').replace('ipv4', 'ipv5'))}      inbuond: []`,
    'a.yaml:5: firewalls.web.rules.inbound[0].addresses.ipv5: unknown key. Did you mean "ipv4" or "ipv6"?',
    'a.yaml:5: firewalls.web.rules.inbound[0].prots: unknown key. Did you mean "ports"?',
    'a.yaml:6: firewalls.web.rules.inbuond: unknown key. Did you mean "inbound"?',
  ],
  [
    'of the devices',
    'firewalls:\n  web:\n    devices:\n      compute: [1001]',
    'a.yaml:4: firewalls.web.devices.compute: unknown key. Did you mean "computes"?',
  ],
  [
    'that is the rest of a value with a comma',
    inRules(rule(', ports: 22,2222, description: open, for now')),
    'a.yaml:5: firewalls.web.rules.inbound[0].2222: unknown key. Between braces, a comma ends a value: put one with commas in quotes, such as "22,80"',
    'a.yaml:5: firewalls.web.rules.inbound[0].for now: unknown key. Between braces, a comma ends a value: put one with commas in quotes, such as "22,80"',
  ],
  [
    'of a rule, without a value',
    inRules(rule(', prots: , zzz: ')),
    'a.yaml:5: firewalls.web.rules.inbound[0].prots: unknown key. Did you mean "ports"?',
    'a.yaml:5: firewalls.web.rules.inbound[0].zzz: unknown key. The keys are: action, protocol, ports, addresses, label, description, from, to, use',
  ],
  [
    'of a test',
    'firewalls:\n  web:\n    tests:\n      - { protocol: tcp, ports: 22, from: 192.0.2.1, expect: drop }',
    'a.yaml:4: firewalls.web.tests[0].ports: unknown key. Did you mean "port"?',
  ],
]

const duplicates: Row[] = [
  ['of the file', 'rdns: {}\nvolumes: {}\nrdns: {}', 'a.yaml:3: "rdns" is defined twice (first on line 1)'],
  [
    'of a kind and of an entry',
    'volumes:\n  data:\n    size: 20\n    size: 40\n  data: {}',
    'a.yaml:4: "size" is defined twice (first on line 3)',
    'a.yaml:5: "data" is defined twice (first on line 2)',
  ],
  ['with one value', 'volumes:\n  a: {}\n  "a": {}', 'a.yaml:3: "a" is defined twice (first on line 2)'],
  ['of a rule', inRules(rule(', action: drop')), 'a.yaml:5: "action" is defined twice (first on line 5)'],
  [
    'beside other mistakes',
    'owner: 5\nvolumes:\n  a: {}\n  a: {}',
    'a.yaml:1: owner: Must be a tag',
    'a.yaml:4: "a" is defined twice (first on line 3)',
  ],
]

const indentation: Row[] = [
  [
    'the entries of a kind',
    'volumes:\npgdata:\n  size: 60\nlogs: {}\nrdns: {}',
    'a.yaml:1: volumes: is empty, and the next keys are probably indented too little: pgdata, logs',
  ],
  [
    'the defaults',
    'defaults:\nregion: us-east',
    'a.yaml:1: defaults: is empty, and the next keys are probably indented too little: region',
  ],
  [
    'the fields of a volume',
    'volumes:\n  pgdata:\n  size: 60',
    'a.yaml:3: volumes.size: "pgdata" above it is empty. Indent this key below it',
  ],
  [
    'the rules of a firewall',
    'firewalls:\n  web:\n    rules:\n    inbound_policy: drop',
    'a.yaml:3: firewalls.web.rules: Must be an object, but has no value',
    'a.yaml:4: firewalls.web.inbound_policy: unknown key. "rules" above it is empty. Indent this key below it',
  ],
  [
    'one field of a volume',
    'volumes:\n  pgdata:\n    region: us-east\n  size: 60',
    'a.yaml:4: volumes.size: is a key of a volume. Indent it below the label',
  ],
  [
    'a field that is indented too much',
    'volumes:\n  data:\n    region: us-east\n      size: 60',
    'a.yaml:3: neither JSON nor YAML: Indent the keys of an object alike',
  ],
  [
    'a field between two columns',
    'volumes:\n    data: {}\n  logs: {}',
    'a.yaml:3: neither JSON nor YAML: Indent the keys of an object alike',
  ],
  ...['<<<<<<< HEAD', '||||||| base', '=======', '>>>>>>> feature'].map(
    (marker): Row => [
      `a conflict marker: ${marker}`,
      `volumes:\n  data:\n${marker}\n    size: 60`,
      'a.yaml:3: neither JSON nor YAML: This is a conflict marker of a merge. Resolve the conflict first',
    ],
  ),
  ['with tabs', 'volumes:\n\tdata: {}', 'a.yaml:2: neither JSON nor YAML: Tabs cannot indent. Use spaces'],
  [
    'the dash of an item',
    'firewalls:\n  web:\n    tags:\n    - a\n      - b',
    'a.yaml:4: neither JSON nor YAML: The text continues in lines that begin with a dash. Write "- " in one column for a list',
  ],
  [
    'dashes in two columns',
    'profile:\n  authorized_keys:\n    - a\n   - b',
    'a.yaml:4: neither JSON nor YAML: The dashes of a list must be in one column',
  ],
]

const types: Row[] = [
  ['nothing', 'volumes:\n  data:\n    size:', 'a.yaml:3: volumes.data.size: Must be an integer, but has no value'],
  [
    'a comment',
    'volumes:\n  data:\n    region: #1',
    'a.yaml:3: volumes.data.region: Must be a string, but has no value',
  ],
  ['a text for an object', 'volumes:\n  data: big', 'a.yaml:2: volumes.data: Must be an object, not a text'],
  ['a list for a kind', 'volumes:\n  - data', 'a.yaml:1: volumes: Must be an object, not a list'],
  [
    'a list of objects for an object',
    'volumes:\n  data:\n    - size: 20',
    'a.yaml:2: volumes.data: Must be an object, not a list. Leave out the dashes before its keys',
  ],
  ['a list for the file', '- volumes', 'a.yaml: Must be an object, not a list'],
  ['a text for the file', 'volumes', 'a.yaml: Must be an object, not a text'],
  [
    'an object for a list',
    'firewalls:\n  web:\n    rules:\n      inbound:\n        action: drop',
    'a.yaml:4: firewalls.web.rules.inbound: Must be an array, not an object. Begin each item with "- "',
  ],
  [
    'no blank after a colon',
    'volumes:\n  data:\n    size:60',
    'a.yaml:2: volumes.data: Must be an object, not a text. Write a blank after "size:"',
  ],
  [
    'no blank after one of several colons',
    'volumes:\n  data:\n    region: us-east\n    size:60',
    'a.yaml:4: neither JSON nor YAML: A blank is missing after "size:"',
  ],
  [
    'no blank after a colon in braces',
    'volumes:\n  data: {size:60}',
    'a.yaml:2: volumes.data.size:60: unknown key. Write a blank after "size:"',
  ],
  [
    'no blank after dashes',
    'firewalls:\n  web:\n    tags:\n      -a\n      -b',
    'a.yaml:4: neither JSON nor YAML: The text continues in lines that begin with a dash. Write "- " in one column for a list',
  ],
  [
    'no blank after one dash',
    'firewalls:\n  web:\n    tags:\n      -a',
    'a.yaml:3: firewalls.web.tags: Must be an array, not a text. Write a blank after each dash',
  ],
  [
    'yes for true',
    'profile:\n  email_notifications: yes',
    'a.yaml:2: profile.email_notifications: Must be a boolean, not a text. Write true',
  ],
  [
    'no for false',
    'profile:\n  email_notifications: no',
    'a.yaml:2: profile.email_notifications: Must be a boolean, not a text. Write false',
  ],
  [
    'a number in quotes',
    'volumes:\n  data:\n    size: "60"',
    'a.yaml:3: volumes.data.size: Must be an integer, not a text. Leave out the quotes',
  ],
  [
    'a number that YAML 1.1 reads as octal',
    'volumes:\n  data:\n    size: 060',
    'a.yaml:3: volumes.data.size: Must be an integer, not a text. Leave out the zero at its beginning',
  ],
  [
    'a number for a text',
    'firewalls:\n  web:\n    tags:\n      - 2026',
    'a.yaml:4: firewalls.web.tags[0]: Must be a string, not a number. Put it in quotes',
  ],
  [
    'true for a text',
    'firewalls:\n  web:\n    tags: [true]',
    'a.yaml:3: firewalls.web.tags[0]: Must be a string, not true. Put it in quotes',
  ],
  [
    'a network that ends with a colon',
    inRules(rule('').replace('ipv4: [192.0.2.0/24]', 'ipv6: [2001:db8::]')),
    'a.yaml:5: firewalls.web.rules.inbound[0].addresses.ipv6[0]: Must be a string, not an object. Put it in quotes if it is a text with a colon',
  ],
  [
    'a merge key',
    'volumes:\n  a: &base { size: 20 }\n  b: { <<: *base, region: 5 }',
    'a.yaml:3: neither JSON nor YAML: YAML 1.2 has no merge keys (<<). Write the keys out; an alias such as *name is a whole value',
  ],
  [
    'another version of YAML',
    '# comment\n%YAML 1.1\n---\nowner: yes',
    'a.yaml:2: neither JSON nor YAML: YAML 1.2 is read, not 1.1. Leave this line out, and quote texts such as yes, on and 010',
  ],
  [
    'rules of hcloud',
    '[{ direction: in, protocol: tcp, port: "22", source_ips: [192.0.2.0/24] }]',
    'a.yaml: Must be an object, not a list. In rules of hcloud, "direction" is a list inbound or outbound, "port" is ports, "source_ips" is addresses. docs/coming-from.md translates them with jq',
  ],
  ['an @', 'owner: @team', 'a.yaml:1: neither JSON nor YAML: A text cannot begin with @ unless it is in quotes'],
  ['a *', 'owner: *', 'a.yaml:1: neither JSON nor YAML: A text cannot begin with * unless it is in quotes'],
  [
    'a reference to nothing',
    'volumes: {}\nowner: *team',
    'a.yaml:2: neither JSON nor YAML: A text cannot begin with * unless it is in quotes: "*team"',
  ],
  [
    'an anchor without a value',
    'owner: &team',
    'a.yaml:1: neither JSON nor YAML: A text cannot begin with & unless it is in quotes: "&team"',
  ],
  [
    'a tag without a value',
    'owner: !team',
    'a.yaml:1: neither JSON nor YAML: A text cannot begin with ! unless it is in quotes: "!team"',
  ],
  [
    'a text with a colon',
    inRules(rule('')).replace('{ action', '\n            description: Office: SSH\n            rest: { action'),
    'a.yaml:6: neither JSON nor YAML: The text of "description" has a colon. Put it in quotes',
  ],
  [
    'several documents',
    'volumes: {}\n---\nrdns: {}',
    'a.yaml:2: neither JSON nor YAML: only one document is allowed, and another begins here. Put it in a file of its own',
  ],
  ['no colon', 'volumes:\n  data\nrdns: {}', 'a.yaml:1: volumes: Must be an object, not a text'],
  [
    'a port that was a number of minutes in YAML 1.1',
    inRules(rule(', ports: 22:30')),
    'a.yaml:5: firewalls.web.rules.inbound[0].ports: "22:30" is neither a port nor a range of ports. Write 22-30',
  ],
]

describe.for<[string, Row[]]>([
  ['an unknown key', unknownKeys],
  ['a duplicate key', duplicates],
  ['a wrong indentation', indentation],
  ['a wrong value', types],
])('%s of an account file', ([, rows]) => {
  test.for(rows)(
    'is reported with line, path and fix, and nothing is sent: %s',
    async ([, text, ...expected], { skyctl, file, problems, world }) => {
      const { exit, stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, stdout, problems: problems(stderr) }).toEqual({ exit: 2, stdout: '', problems: expected })
      expect(world.requests()).toEqual([])
    },
  )
})

describe('an account file in JSON', () => {
  test('has duplicate keys reported with both lines at any depth, even with equal values', async ({
    skyctl,
    file,
    problems,
  }) => {
    const lines = ['{', '"volumes": {', '"a": {', '"size": 20, "tags": ["}", "\\"a\\":"],', '"si\\u007ae": 20 },']
    const text = [...lines, '"a": {}', '},', '"volumes": {}', '}'].join('\n')
    const { exit, stderr } = await skyctl(`plan ${file('a.json', text)}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: [
        'a.json:5: "size" is defined twice (first on line 4)',
        'a.json:6: "a" is defined twice (first on line 3)',
        'a.json:8: "volumes" is defined twice (first on line 2)',
      ],
    })
  })

  test('has each problem in JSON with its path', async ({ skyctl, file }) => {
    const path = file('a.json', '{ "volumes": { "data": { "siez": 60 } },\n"owner": 5 }')
    const { error } = JSON.parse((await skyctl(`plan ${path} --json`)).stderr)
    const errors = [
      { field: 'volumes.data.siez', reason: 'unknown key. Did you mean "size"?' },
      { field: 'owner', reason: 'Must be a tag' },
    ]
    expect(error.errors).toEqual(errors)
    expect(error.failures.map((one: { error: { errors: unknown } }) => one.error.errors)).toEqual([
      errors.slice(0, 1),
      errors.slice(1),
    ])
  })
})

describe('an account file', () => {
  test.for([
    ['windows line ends', 'volumes:\r\n  data-1:\r\n    tags:\r\n      - a\r\n', ['a']],
    ['a byte order mark', '\ufeffvolumes:\n  data-1: { tags: [a] }', ['a']],
    ['booleans of YAML 1.1 as texts', 'volumes:\n  data-1: { tags: [no, yes, off] }', ['no', 'yes', 'off']],
    ['numbers with a leading zero as texts', 'volumes:\n  data-1: { tags: [007, 22:30] }', ['007', '22:30']],
    ['a single text for a list', 'volumes:\n  data-1:\n    tags: db', ['db']],
    ['begin and end of its only document', '---\nvolumes:\n  data-1: { tags: [a] }\n...\n', ['a']],
  ] as const)('may have %s', async ([, text, tags], { skyctl, file, world }) => {
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)?.tags).toEqual(tags)
  })

  test('may have one address or a list of addresses in a rule', async ({ skyctl, file, world }) => {
    const text = `firewalls:
  spare:
    rules:
      inbound:
        - { action: accept, protocol: tcp, ports: 22, addresses: 203.0.113.9 }
        - { action: accept, protocol: tcp, ports: 443, addresses: [203.0.113.0/24, ::/0, "2001:db8::"] }
        - { action: accept, protocol: tcp, ports: 80, addresses: { ipv6: ::/0 } }
`
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes`)).toMatchObject({ exit: 0 })
    const spare = world.network.firewalls.all().find(({ label }) => label === 'spare')
    expect(spare?.rules.inbound.map(({ addresses }) => addresses)).toEqual([
      { ipv4: ['203.0.113.9/32'] },
      { ipv4: ['203.0.113.0/24'], ipv6: ['::/0', '2001:db8::/128'] },
      { ipv6: ['::/0'] },
    ])
  })

  test('may name instances and balancers by label', async ({ skyctl, file, world }) => {
    const text = `volumes:
  data-2: { compute_id: web-1 }
firewalls:
  web: { devices: { computes: [web-1, 1002], balancers: front-1 } }
`
    const path = file('a.yaml', text)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3002)?.compute_id).toBe(1001)
    expect((await skyctl(`plan ${path}`)).stdout).toBe('No changes; 2 unchanged\n')
  })

  test.for<Row>([
    [
      'unknown',
      'volumes:\n  data-2:\n    compute_id: web-9',
      'a.yaml:3: volumes.data-2.compute_id: no known compute instance has the label "web-9". Did you mean "web-1", "web-2" or "web-3"? The API reports instance labels only in volumes and firewall devices. Name others by id',
    ],
    [
      'ambiguous',
      'firewalls:\n  spare:\n    devices:\n      computes:\n        - 1004\n        - twin',
      'a.yaml:6: firewalls.spare.devices.computes[1]: 2 compute instances have the label "twin": id:8001, id:8002. Name one by its id',
    ],
    [
      'neither a label nor an id',
      'volumes:\n  data-2:\n    compute_id: "1.5"',
      'a.yaml:3: volumes.data-2.compute_id: "1.5" is not a compute instance id: an id is a whole number from 1 to 2^53-1',
    ],
  ])('has the line of a label reported that is %s', async ([, text, problem], { skyctl, file, problems, world }) => {
    for (const id of [8001, 8002])
      world.volume({ label: `of-${id}`, compute_id: world.compute({ id, label: 'twin' }).id })
    const { stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ stdout, problems: problems(stderr) }).toEqual({ stdout: '', problems: [problem] })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('has the id of a label in its saved plan', async ({ skyctl, file, home, world }) => {
    const path = file('a.yaml', 'volumes: { data-2: { compute_id: web-1 } }')
    expect(await skyctl(`plan ${path} --out ${home}/plan.json`)).toMatchObject({ exit: 0 })
    expect(await skyctl(`apply ${home}/plan.json --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3002)?.compute_id).toBe(1001)
  })

  test.for([
    ['nothing', ''],
    ['comments only', '# nothing yet\n'],
    ['null', 'null\n'],
    ['a document without a value', '---\n'],
  ] as const)('with %s is empty, and --prune deletes nothing', async ([, text], { skyctl, file, problems, world }) => {
    world.volume({ label: 'owned', tags: ['team'] })
    const owner = file('owner.yaml', 'owner: team\nvolumes: {}\n')
    const empty = file('empty.yaml', text)
    for (const words of [`plan ${empty}`, `plan ${owner} ${empty} --prune`, `apply ${owner} ${empty} --prune --yes`]) {
      const { exit, stdout, stderr } = await skyctl(words)
      expect({ exit, stdout, problems: problems(stderr) }).toEqual({
        exit: 2,
        stdout: '',
        problems: ['empty.yaml: is empty'],
      })
    }
    expect(world.requests()).toEqual([])
  })

  test('is reported together with others that are neither JSON nor YAML', async ({ skyctl, file, problems }) => {
    const paths = [file('a.yaml', 'owner: @x'), file('b.json', '{ "owner": 5 }'), file('c.yaml', 'owner: [')]
    const { exit, stderr } = await skyctl(`plan ${paths.join(' ')}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: [
        'a.yaml:1: neither JSON nor YAML: A text cannot begin with @ unless it is in quotes',
        'b.json:1: owner: Must be a tag',
        expect.stringMatching(/^c\.yaml:1: neither JSON nor YAML: Flow sequence/),
      ],
    })
  })

  test('with a problem in a rules file is reported with the file and line of both', async ({
    skyctl,
    file,
    problems,
    home,
  }) => {
    file('rules.yaml', 'inbound: []\ninbound: []')
    file('none.yaml', '# later')
    const text = 'firewalls:\n  web: { rules: rules.yaml }\n  spare: { rules: none.yaml }'
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, problems: problems(stderr.replaceAll(`${home}/`, '')) }).toEqual({
      exit: 2,
      problems: [
        'a.yaml:2: firewalls.web.rules: rules.yaml:2: "inbound" is defined twice (first on line 1)',
        'a.yaml:3: firewalls.spare.rules: none.yaml is empty',
      ],
    })
  })
})

describe('a rules file', () => {
  const one = 'action: accept, protocol: tcp, addresses: 192.0.2.0/24'
  const wholeRule = { action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: ['192.0.2.0/24'] } }

  test.for<[what: string, text: string, message: string]>([
    [
      'unknown keys',
      `inbuond: []\ninbound:\n  - { ${one}, prots: 22 }`,
      'inbuond: unknown key. Did you mean "inbound"? (line 1); inbound[0].prots: unknown key. Did you mean "ports"? (line 3)',
    ],
    ['a duplicate key', 'inbound: []\ninbound: []', 'rules.yaml:2: "inbound" is defined twice (first on line 1)'],
    ['nothing', '# later', '"rules.yaml" is empty'],
    [
      'a list that is an object',
      'inbound:\n  action: drop',
      'inbound: must be an array, not an object. Begin each item with "- " (line 1)',
    ],
    [
      'rules that are indented too little',
      'inbound: []\n  outbound: []',
      '"rules.yaml" is neither JSON nor YAML (line 2, column 1): Indent the keys of an object alike',
    ],
  ])('is rejected with line, path and fix: %s', async ([, text, message], { skyctl, file, home, world }) => {
    const path = file('rules.yaml', text)
    const { exit, stderr } = await skyctl(`firewalls rules update web --file ${path} --yes`)
    expect({ exit, stderr: stderr.replaceAll(`${home}/`, '').replace(/\. (Set|Pass) .*/, '') }).toEqual({
      exit: 2,
      stderr: `skyctl: ${message}\n`,
    })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for([
    ['YAML', `- { ${one}, ports: '22' }\n# next\n- { ${one}, ports: '25' }`],
    ['JSON', JSON.stringify(['22', '25'].map((ports) => ({ ...wholeRule, ports })))],
  ])('may be a list of rules to add, in %s', async ([, text = ''], { skyctl, file, world }) => {
    const ports = () => world.network.firewalls.get(4001)?.rules.inbound.map((rule) => rule.ports)
    const before = ports() ?? []
    const { exit } = await skyctl(`firewalls rules add 4001 inbound --file ${file('list.yaml', text)} --yes`)
    expect({ exit, ports: ports() }).toEqual({ exit: 0, ports: [...before, '22', '25'] })
  })

  test('with a list has the line of a wrong rule reported', async ({ skyctl, file, world }) => {
    const add = async (text: string) => {
      const { exit, stderr } = await skyctl(`firewalls rules add 4001 inbound --file ${file('list.yaml', text)} --yes`)
      return `${exit} ${stderr}`
    }
    expect(await add(`- { ${one}, ports: '22' }\n- { ${one}, ports: x }`)).toMatch(/^2 skyctl: ports: .* \(line 2\)/)
    expect(await add(`- { ${one}, ports: 22 }\n- ssh`)).toMatch(
      /^2 skyctl: item 2 of ".*list.yaml" is not an object\n$/,
    )
    expect(await add('[]')).toMatch(/list.yaml" is empty\n$/)
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('of another kind is rejected with the command for it', async ({ skyctl, file, home, world }) => {
    const all = file('all.yaml', `inbound:\n  - { ${one}, ports: 22 }\noutbound: []\ninbound_policy: drop`)
    const rule = file('one.yaml', `{ ${one}, ports: 22 }`)
    const resultOf = async (line: string) => {
      const { exit, stderr } = await skyctl(line)
      return `${exit} ${stderr.replaceAll(`${home}/`, '')}`
    }
    expect(await resultOf(`apply ${all} --yes`)).toMatch(
      /^2 skyctl: (all.yaml: )?this is a rules file: skyctl firewalls rules update FIREWALL --file all.yaml\n/,
    )
    expect(await resultOf(`firewalls rules add web inbound --file ${all}`)).toBe(
      '2 skyctl: "all.yaml" has all rules of a firewall, not rules to add. Replace them: skyctl firewalls rules update web --file all.yaml\n',
    )
    for (const verb of ['update', 'diff'])
      expect(await resultOf(`firewalls rules ${verb} web --file ${rule}`)).toBe(
        '2 skyctl: "one.yaml" has one rule, not the rules of a firewall. Add it: skyctl firewalls rules add web inbound --file one.yaml\n',
      )
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('may have single addresses', async ({ skyctl, file }) => {
    const policies = 'inbound_policy: drop\noutbound_policy: accept\noutbound: []'
    const path = file('rules.yaml', `${policies}\ninbound:\n  - { ${one}, ports: 22 }`)
    const { exit, stdout } = await skyctl(
      `firewalls test --file ${path} --protocol tcp --port 22 --from 192.0.2.7 --expect accept --json`,
    )
    expect({ exit, action: JSON.parse(stdout).action }).toEqual({ exit: 0, action: 'ACCEPT' })
  })
})

describe('a file of test cases', () => {
  test('has all wrong cases reported with their lines', async ({ skyctl, file }) => {
    const path = file('cases.yaml', '- { protocol: tcp, port: 22, form: 192.0.2.1 }\n- { port: 22 }\n- ssh')
    const { exit, stderr } = await skyctl(`firewalls test web --cases ${path}`)
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr:
        'skyctl: cases[0].form: unknown key. Did you mean "from"? (line 1); cases[1]: protocol is required (line 2); ' +
        'cases[2]: a case must be an object (line 3)\n',
    })
  })
})

describe('a request body', () => {
  test.for<[what: string, text: string, message: string]>([
    [
      'unknown keys',
      'label: a\nregion: us-east\nsiez: 20\ntag: a\n',
      'siez: unknown key. Did you mean "size"? (line 3); tag: unknown key. Did you mean "tags"? (line 4)',
    ],
    [
      'values of other types',
      '{ "label": 5,\n"region": "us-east",\n"size": "20" }',
      'label: must be a string, not a number. Put it in quotes (line 1); size: must be an integer, not a text. Leave out the quotes (line 3)',
    ],
    [
      'duplicate keys',
      '{ "label": "a",\n"region": "us-east",\n"label": "b" }',
      'body.yaml:3: "label" is defined twice (first on line 1)',
    ],
    ['nothing', '', '"body.yaml" is empty'],
  ])('is rejected with line, path and fix: %s', async ([, text, message], { skyctl, file, home, world }) => {
    const { exit, stderr } = await skyctl(`volumes create --body ${file('body.yaml', text)}`)
    expect({ exit, stderr: stderr.replaceAll(`${home}/`, '') }).toEqual({ exit: 2, stderr: `skyctl: ${message}\n` })
    expect(world.requests()).toEqual([])
  })
})
