import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/engine/command'
import type { CommandNode } from '../../src/engine/command-nodes'
import { manPages } from '../../src/generate/man'
import { prose, section, subsection, topicLines } from '../../src/generate/roff'

test('A section has a heading, and is omitted without lines', () => {
  expect(section('SEE ALSO', ['a', 'b'])).toEqual(['.SH SEE ALSO', 'a', 'b'])
  expect(subsection('Global flags', ['a'])).toEqual(['.SS Global flags', 'a'])
  expect(section('FILES', [])).toEqual([])
  expect(subsection('Flags', [])).toEqual([])
})

test('A paragraph keeps its words in order, in lines of at most 80 characters', () => {
  const [forty, thirtyNine] = ['x'.repeat(40), 'y'.repeat(39)]
  expect(prose('List  all\nvolumes of the account.')).toBe('List all volumes of the account.')
  expect(prose(`${forty} ${thirtyNine} and more`)).toBe(`${forty} ${thirtyNine}\nand more`)
  expect(prose(`${forty} ${thirtyNine}y and more`)).toBe(`${forty}\n${thirtyNine}y and more`)
})

test('A paragraph has escaped hyphens, and escaped dots at the beginning of words', () => {
  expect(prose('See --help in .config of skyctl.')).toBe(String.raw`See \-\-help in \&.config of skyctl.`)
})

test('A term of a topic is a tag with its meaning, or a paragraph without one', () => {
  expect(topicLines('Access\n\n  skyctl doctor\n  --force  block it\n           all the same\n')).toEqual([
    '.PP',
    String.raw`\fBskyctl doctor\fR`,
    '.TP',
    String.raw`\fB\-\-force\fR`,
    'block it all the same',
  ])
})

test('A line of a topic is a heading if it does not end a sentence, else a paragraph', () => {
  expect(topicLines('Files\n\nPlaces of files\n\nThere are two.\n\nThey are private\nto their owner\n')).toEqual([
    ...['.SS Places of files', '.PP', 'There are two.', '.PP', 'They are private to their owner'],
  ])
})

describe('A man page', () => {
  const command = (words: string[], changes: Partial<Command>, aliases: string[] = []): CommandNode => {
    const summary = `${words.at(-1)} something`
    const run = async () => {}
    return { words, aliases, summary, children: [], command: { name: 'x', summary, flags: [], run, ...changes } }
  }
  const list = command(
    ['volumes', 'list'],
    {
      examples: [
        { what: 'List all volumes', line: 'skyctl volumes list' },
        { what: 'List the largest volume', line: "skyctl volumes list --sort='-size' --limit 1" },
      ],
    },
    ['ls'],
  )
  const remove = command(['volumes', 'delete'], {
    arguments: [{ name: 'volume', description: 'Label or id', many: true }],
    flags: [{ name: 'force', short: 'f', description: 'Delete it although it is attached' }],
    examples: [{ what: 'Delete a volume', line: 'skyctl volumes delete data' }],
  })
  const volumes = { words: ['volumes'], aliases: ['volume'], summary: 'Manage volumes', children: [list, remove] }
  const doctor = command(['doctor'], {
    examples: [
      { what: 'Check all', line: 'skyctl doctor' },
      { what: 'Check for a script', line: 'skyctl doctor --json' },
    ],
  })
  const root = { words: [], aliases: [], summary: 'Manage an account', children: [volumes, doctor] }
  const pages = manPages(root, { version: '1.2.3', date: '2026-11-21' })

  /** Splits a page into its sections. */
  const sectionsOf = (name: string) =>
    (pages.get(name) ?? '')
      .split(/^\.SH /m)
      .slice(1)
      .map((part) => ({ heading: part.slice(0, part.indexOf('\n')), body: part.slice(part.indexOf('\n') + 1) }))
  const bodyOf = (name: string, heading: string) => sectionsOf(name).find((one) => one.heading === heading)?.body

  test('of a group has each of its commands, with aliases, arguments and flags', () => {
    expect(bodyOf('skyctl-volumes.1', 'COMMANDS')).toBe(String.raw`.SS skyctl volumes list [flags]
list something.
Also: \fBls\fR.
.SS skyctl volumes delete <volume...> [flags]
delete something.
.TP
\fIvolume\fR
Label or id
.TP
\fB\-f, \-\-force\fR
Delete it although it is attached
`)
  })

  const firstOfVolumes = `List all volumes:
.RS 2
.nf
skyctl volumes list
.fi
.RE
`

  test('of a group has all examples of its commands, separated from each other', () => {
    expect(bodyOf('skyctl-volumes.1', 'EXAMPLES')).toBe(String.raw`${firstOfVolumes}.PP
List the largest volume:
.RS 2
.nf
skyctl volumes list \-\-sort=\(aq\-size\(aq \-\-limit 1
.fi
.RE
.PP
Delete a volume:
.RS 2
.nf
skyctl volumes delete data
.fi
.RE
`)
  })

  test('of a command without a group has all its examples', () => {
    const examples = bodyOf('skyctl-doctor.1', 'EXAMPLES')
      ?.split('\n')
      .filter((line) => line.startsWith('skyctl'))
    expect(examples).toEqual(['skyctl doctor', String.raw`skyctl doctor \-\-json`])
  })

  test('of the program has the first example of each group', () => {
    expect(bodyOf('skyctl.1', 'EXAMPLES')).toBe(`${firstOfVolumes}.PP
Check all:
.RS 2
.nf
skyctl doctor
.fi
.RE
`)
  })

  test('of the program has exit codes and environment once, under the headings of man(7)', () => {
    const headings = sectionsOf('skyctl.1').map(({ heading }) => heading)
    expect(headings).toEqual(expect.arrayContaining(['EXIT STATUS', 'ENVIRONMENT', 'FILES', 'BULK']))
    expect(headings).not.toContain(String.raw`EXIT\-CODES`)
    expect(headings.filter((heading) => heading === 'ENVIRONMENT')).toHaveLength(1)
  })
})
