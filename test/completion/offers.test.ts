/** Words that Tab offers for a line. Tests in the shells are about how a word gets into the line. */
import { describe, expect, test } from 'vitest'
import { program } from '../../src/commands/index'
import { answer } from '../../src/completion/answer-tab'
import { loadTree } from '../../src/engine/command-nodes'
import { completionTable } from '../../src/generate/completions'

const table = completionTable(await loadTree(program))

const ruleLines = ['31 inbound ', 'web inbound ']
  .flatMap((side) => ['2\tACCEPT TCP 80', 'ssh\t1', 'web\t3'].map((name) => side + name))
  .concat('web outbound dns\t1', 'web-2 inbound smtp\t1', 'webX inbound smtp\t1')

const names: Readonly<Record<string, readonly string[]>> = {
  volumes: ['a:b\t3004', 'data-1\t3001', 'data-2\t3002', 'label:77\t3003', '3009\ttwin'],
  firewalls: ['34\twin', 'label:77\t33', 'web\t31', 'wide\t32'],
  rules: ruleLines,
  computes: ['5003', 'mail-1\t5001', 'mail-2\t5002'],
  balancers: ['front-1\t2001'],
  regions: ['us-east\tNewark', 'us-ord\tChicago'],
  contexts: ['prod\thttps://api.example.net/v4', 'sandbox\tThe embedded service'],
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

function answerTo(shell: string, line: string): string {
  const [, ...words] = line.split(' ')
  return answer(shell, words, { table, readNames: (kind) => textOf(names[kind] ?? []) })
}

/** Returns the words that begin as typed. */
const offers = (line: string) => answerTo('bash', line).split('\n').slice(1, -1)
/** Returns the first line: what follows, and the text that stays. */
const head = (line: string) => answerTo('bash', line).split('\n', 1)[0]

const rules: readonly [rule: string, line: string, offers: string[]][] = [
  ['the groups', 'skyctl vo', ['volumes']],
  ['the commands of a group', 'skyctl volumes de', ['delete', 'detach']],
  ['no alias if a name fits', 'skyctl volumes r', ['resize']],
  ['an alias if only it fits', 'skyctl volumes rem', ['remove']],
  ['flags after an alias', 'skyctl volume ls --so', ['--sort']],
  ['flags before a command', 'skyctl --context prod volumes --qui', ['--quiet']],
  ['long flags', 'skyctl volumes delete --re', ['--resume', '--retries']],
  ['a flag once', 'skyctl volumes delete --resume file --re', ['--retries']],
  ['a flag once, also by its short name', 'skyctl -o json --out', []],
  ['a flag once, also in snake_case', 'skyctl volumes create --compute_id 5 --compute-i', []],
  ['no flag in snake_case', 'skyctl volumes create --compute_i', []],
  ['a list flag again', 'skyctl volumes create --tag a --ta', ['--tag']],
  ['another name of a flag if it fits', 'skyctl volumes list --form', ['--format']],
  ['the negative of a flag', 'skyctl volumes attach --no-p', ['--no-persist-across-boots']],
  ['the version flag only at the root', 'skyctl --versi', ['--version']],
  ['no version flag after a command', 'skyctl volumes --versi', []],
  ['help everywhere', 'skyctl volumes list --hel', ['--help']],
  ['no one-letter flag', 'skyctl volumes list -', offers('skyctl volumes list --')],
  ['choices', 'skyctl -o t', ['table', 'tsv']],
  ['choices after "="', 'skyctl --output=t', ['--output=table', '--output=tsv']],
  ['nothing after "=" of a flag without a value', 'skyctl --quiet=', []],
  ['nothing after "=" of an unknown flag', 'skyctl --foo=', []],
  ['choices of a flag of the command', 'skyctl volumes wait --for de', ['deleted', 'detached']],
  ['regions', 'skyctl volumes create --region us-e', ['us-east']],
  ['regions after "="', 'skyctl volumes create --region=us-e', ['--region=us-east']],
  ['contexts', 'skyctl --context s', ['sandbox']],
  ['arguments that are choices', 'skyctl api P', ['POST', 'PUT']],
  ['regions as arguments', 'skyctl regions view us-east us-o', ['us-ord']],
  ['nothing after the last argument', 'skyctl regions availability us-east us-o', []],
  ['targets after --', 'skyctl volumes delete -- a:', ['a:b']],
  ['no flag after --', 'skyctl volumes delete -- --re', []],
  ['the words of a command after help', 'skyctl help volumes cre', ['create']],
  ['groups after help', 'skyctl help vol', ['volumes']],
  ['topics after help', 'skyctl help exit', ['exit-codes']],
  ['nothing after an unknown word', 'skyctl foo ', []],
  ['targets after an unknown flag', 'skyctl volumes view --foo a', ['a:b']],
  ['nothing for a free value', 'skyctl volumes create --label ', []],
  ['fields as columns', 'skyctl volumes list --columns comp', ['compute_id', 'compute_label']],
  ['all columns by one word', 'skyctl volumes list --columns al', ['all']],
  ['columns by their other flag', 'skyctl firewalls list --format upd', ['updated']],
  ['columns of a changed object', 'skyctl volumes resize data --columns filesy', ['filesystem_path']],
  ['columns of a deleted object', 'skyctl volumes delete data --columns filesy', ['filesystem_path']],
  ['fields within fields', 'skyctl firewalls devices list web --columns entity.t', ['entity.type']],
  ['a second column after a comma', 'skyctl volumes list --columns id,lab', ['id,label']],
  ['a second column after "=" and a comma', 'skyctl volumes list --columns=id,lab', ['--columns=id,label']],
  ['fields to sort by', 'skyctl volumes list --sort si', ['size']],
  ['fields to sort by in reverse', 'skyctl volumes list --sort -si', ['-size']],
  ['a second field to sort by', 'skyctl volumes list --sort label,-si', ['label,-size']],
  ['fields to filter by', 'skyctl volumes list --filter si', ['size=']],
  ['no field of other records', 'skyctl volumes list --filter rdns', []],
  [
    'values of a field',
    'skyctl volumes list --filter status=',
    ['active', 'creating', 'resizing'].map((one) => `status=${one}`),
  ],
  ['values of a field after another operator', 'skyctl volumes list --filter status!=a', ['status!=active']],
  ['values of a field after "="', 'skyctl volumes list --filter=status=a', ['--filter=status=active']],
  ['regions of a field', 'skyctl volumes list --filter region=us-e', ['region=us-east']],
  ['none for a field that can be empty', 'skyctl volumes list --filter compute_id=', ['compute_id=none']],
  ['nothing for a free field', 'skyctl volumes list --filter label=', []],
  ['nothing for an unknown field', 'skyctl volumes list --filter nothing=', []],
  ['true and false for a boolean field', 'skyctl ips list --filter public=', ['public=true', 'public=false']],
  ['scopes', 'skyctl tokens create --label a --scope volumes:', ['volumes:read_only', 'volumes:read_write']],
  ['scopes of other groups', 'skyctl tokens create --scope ips:', ['ips:read', 'ips:read_only', 'ips:read_write']],
  ['a second scope', 'skyctl tokens create --scope *,vpc:', ['*,vpc:read_only', '*,vpc:read_write']],
  ['choices that are numbers', 'skyctl ipv6 ranges create --prefix-length ', ['56', '64']],
  ['labels and no ids', 'skyctl volumes view data', ['data-1', 'data-2']],
  ['ids after a digit', 'skyctl volumes view 300', ['3004', '3001', '3002', '3003', '3009']],
  ['labels after label:', 'skyctl firewalls view label:', ['label:77', 'label:web', 'label:wide']],
  ['a label after label:', 'skyctl firewalls view label:we', ['label:web']],
  ['no target twice', 'skyctl firewalls delete web w', ['wide']],
  ['no target twice, by id and by label', 'skyctl firewalls delete 31 label:wide w', []],
  ['no target twice, after id:', 'skyctl firewalls delete id:32 w', ['web']],
  ['no id of a target', 'skyctl firewalls delete web 3', ['34', '33', '32']],
  ['no target twice, after --', 'skyctl firewalls delete web -- ', ['34', 'label:77', 'wide']],
  ['values of a flag after a target of that name', 'skyctl volumes delete us-east --context s', ['sandbox']],
  ['instances by label', 'skyctl volumes attach data --compute-id mail-2', ['mail-2']],
  ['instances by id', 'skyctl ips list --compute-id 50', ['5003', '5001', '5002']],
  ['balancers', 'skyctl firewalls devices add web --balancer-id f', ['front-1']],
  ['a second instance', 'skyctl firewalls create --compute-id mail-1,mail-2', ['mail-1,mail-2']],
  ['rules of the firewall and the direction', 'skyctl firewalls rules remove web inbound ', ['2', 'ssh', 'web']],
  ['rules of a firewall by its id', 'skyctl firewalls rules remove 31 inbound s', ['ssh']],
  ['rules of a firewall after label:', 'skyctl firewalls rules remove label:web outbound ', ['dns']],
  ['rules by number', 'skyctl firewalls rules remove web inbound 1', ['1']],
  ['rules by label after label:', 'skyctl firewalls rules remove web inbound label:s', ['label:ssh']],
  ['no rule again', 'skyctl firewalls rules remove web inbound ssh ', ['2', 'web']],
  ['no rule again after its number', 'skyctl firewalls rules remove web inbound 1 ', ['2', 'web']],
  ['rules to update', 'skyctl firewalls rules update web inbound s', ['ssh']],
  ['rules to move', 'skyctl firewalls rules move web inbound s', ['ssh']],
  ['rules of no other firewall', 'skyctl firewalls rules remove we inbound ', []],
  ['rules of no similar firewall', 'skyctl firewalls rules remove web-2 inbound s', ['smtp']],
]

describe('Tab offers', () => {
  test.each(rules)('%s: %s', (_rule, line, expected) => {
    // Shells sort them.
    expect(offers(line).toSorted()).toEqual(expected.toSorted())
  })

  test('commands for the scopes of a new token', () => {
    const lines = answerTo('bash', 'skyctl tokens create --scopes-for volumes').split('\n').slice(1, -1)
    expect(lines).toContain('volumes create')
    expect(lines.filter((text) => !text.startsWith('volumes'))).toEqual([])
  })

  test.each([
    ['skyctl volumes create --body ', ':files '],
    ['skyctl volumes create --body dir/a', ':files '],
    ['skyctl volumes create --body=dir/a', ':files --body='],
    ['skyctl apply ', ':files '],
    ['skyctl volumes list --filter si', ':parts '],
    ['skyctl volumes list --filter=si', ':parts --filter='],
    ['skyctl volumes list --filter status=a', ':words status='],
    ['skyctl volumes list --columns=id,lab', ':words --columns=id,'],
    ['skyctl volumes view label:d', ':words label:'],
    ['skyctl volumes list --sort -si', ':words -'],
  ])('files, parts of a word, and words after what stays: %s', (line, expected) => {
    expect(head(line)).toBe(expected)
  })

  test('nothing for a word with a line break', () => {
    expect(answer('bash', ['volumes', 'view', 'label:a\nb'], { table, readNames: () => 'a\n' })).toBe(':words \n')
  })
})

describe('An answer', () => {
  const line = 'skyctl volumes de'

  test('for bash has the words that begin as typed', () => {
    expect(answerTo('bash', line)).toBe(':words \ndelete\ndetach\n')
  })

  test.each(['zsh', 'fish'])('for %s has all words with their descriptions, as that shell matches itself', (shell) => {
    const lines = answerTo(shell, line).split('\n')
    expect(lines).toContain('delete\tDelete a volume with its data; billing stops')
    expect(lines).toContain('list\tList the volumes you may view')
    expect(answerTo(shell, 'skyctl volumes view d')).toContain('\na:b\t3004\ndata-1\t3001\n')
  })

  test('for PowerShell has descriptions, and decodes its words from base64url, which no .cmd file evaluates', () => {
    const words = Buffer.from('volumes\nview\ndata-1&').toString('base64url')
    const source = { table, readNames: () => 'data-1&calc\t1\ndata-2\t2\n' }
    expect(answer('powershell', [words], source)).toBe(':words \ndata-1&calc\t1\n')
  })

  test.each(['tcsh', 'toString', ''])('for an unknown shell is empty: "%s"', (shell) => {
    expect(answerTo(shell, line)).toBe('')
  })

  test('without words has the words that begin a line', () => {
    expect(answer('bash', [], { table, readNames: () => '' })).toContain('\nvolumes\n')
  })
})

describe('The table', () => {
  test('has no hidden command and no hidden flag', () => {
    const texts = JSON.stringify(table)
    expect(Object.keys(table.places)).toContain('completion bash')
    expect(Object.keys(table.places)).not.toContain('completion values')
    expect(texts).not.toContain('--busy')
  })

  test('has each flag once', () => {
    const flags = table.flags.map((flag) => JSON.stringify(flag))
    expect(new Set(flags).size).toBe(flags.length)
  })
})
