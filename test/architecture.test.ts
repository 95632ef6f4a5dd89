/** Layers of the source, and its rules for files, functions and names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const root = join(__dirname, '..', 'src')
const files = (readdirSync(root, { recursive: true }) as string[])
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))

interface Import {
  from: string
  /** Path or package as the import statement has it. */
  name: string
  /** A package's name, `node:…`, or a path below src without its ending. */
  to: string
  /** Gone after compilation. */
  typeOnly: boolean
  lazy: boolean
}

const imports: Import[] = files.flatMap((from) => {
  const source = readFileSync(join(root, from), 'utf8')
  const statics = [...source.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)]
  const dynamics = [...source.matchAll(/(typeof )?\bimport\('([^']+)'\)/g)]
  return [
    ...statics.map(([text, type, name, bare]) => ({
      ...named(from, name ?? bare ?? ''),
      typeOnly: type !== undefined || /^\w+\s+\{(\s*type\s+\w+( as \w+)?,?)+\s*\}/.test(text),
      lazy: false,
    })),
    ...dynamics.map(([, type, name]) => ({
      ...named(from, name ?? ''),
      typeOnly: type !== undefined,
      lazy: type === undefined,
    })),
  ]
})

function named(from: string, name: string): Pick<Import, 'from' | 'name' | 'to'> {
  return { from, name, to: name.startsWith('.') ? posix.normalize(posix.join(dirname(from), name)) : name }
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.ts$/, ''))
const fileSet = new Set(files)
const own = imports.filter(({ to }) => fileSet.has(fileOf(to)))

/** Folders that every other one may import. */
const base = ['errors', 'rules', 'data', 'files']

/** Allowed imports of each folder. Entry points and `cli` may import all of them. */
const allowed: Record<string, string[]> = {
  errors: [],
  rules: [],
  data: [],
  files: ['errors'],
  catalogue: ['errors', 'rules'],
  firewall: ['errors', 'catalogue', 'rules'],
  http: [...base, 'catalogue'],
  output: base,
  config: base,
  // The only folder that knows the operating system: clock, other programs, the code cache.
  platform: [...base, 'output', 'config'],
  // Prints nothing, asks nothing, and knows no command line.
  account: [...base, 'catalogue', 'firewall', 'http', 'config'],
  engine: [...base, 'catalogue', 'http', 'account', 'output', 'config', 'platform'],
  'account-file': [...base, 'catalogue', 'firewall', 'http', 'account', 'engine'],
  audit: [...base, 'catalogue', 'firewall', 'http', 'account-file'],
  commands: [
    ...[...base, 'catalogue', 'http', 'output', 'config', 'account', 'engine', 'firewall', 'account-file'],
    ...['audit', 'platform'],
    // Some commands start the sandbox.
    'sandbox',
  ],
  generate: [
    ...['errors', 'rules', 'catalogue', 'output', 'account', 'engine', 'account-file', 'audit', 'commands'],
    'completion',
  ],
  // The launcher starts it instead of the program.
  completion: [...base, 'config', 'platform'],
  sandbox: ['errors', 'catalogue', 'rules', 'data', 'files'],
}

/** Folders and files that a folder imports as types only: its callers pass the objects. */
const typesOnly: Record<string, string[]> = {
  account: ['http', 'config'],
  engine: ['http', 'config'],
  'account-file': ['http'],
  audit: ['http'],
  commands: ['http/client', 'platform/host'],
}

describe('layers', () => {
  test.each(Object.entries(allowed))('%s imports only lower layers: %j', (folder, below) => {
    const forbidden = own
      .filter(({ from }) => folderOf(from) === folder)
      .filter(({ to }) => folderOf(to) !== folder && !below.includes(folderOf(to)))
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('every folder has a layer', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf))
    expect([...folders].filter((folder) => !(folder in allowed))).toEqual(['cli'])
  })

  test.each(Object.entries(typesOnly))('%s imports only types of %j', (folder, others) => {
    const values = own
      .filter(({ from, typeOnly }) => folderOf(from) === folder && !typeOnly)
      .filter(({ to }) => others.some((other) => `${to}/`.startsWith(`${other}/`)))
    expect(values.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('only the sandbox commands import the sandbox, and others its context', () => {
    const users = own.filter(({ from, to }) => folderOf(to) === 'sandbox' && folderOf(from) !== 'sandbox')
    const ofContext = users.filter(({ to }) => to === 'sandbox/context').map(({ from }) => from)
    expect(new Set(ofContext)).toEqual(
      new Set(['cli/clients.ts', 'cli/run-session.ts', 'commands/sandbox/index.ts', 'library.ts']),
    )
    const others = users.filter(({ to }) => to !== 'sandbox/context')
    expect(others.filter(({ from }) => !from.startsWith('commands/sandbox/'))).toEqual([])
    expect(others.filter(({ typeOnly, lazy }) => !typeOnly && !lazy)).toEqual([])
  })

  test('only the program and its group import a command', () => {
    const definition = /: Command(Group)? = \{|= (change|view|list)Command\(/
    const commands = files.filter(
      (file) => folderOf(file) === 'commands' && definition.test(readFileSync(join(root, file), 'utf8')),
    )
    const isGroupOf = (file: string, command: string) =>
      file === 'commands/index.ts' || (file.endsWith('/index.ts') && command.startsWith(`${dirname(file)}/`))
    const callers = own.filter(({ from, to }) => commands.includes(fileOf(to)) && !isGroupOf(from, fileOf(to)))
    expect(commands.length).toBeGreaterThan(50)
    expect(callers.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('imports have no circles, including types and lazy imports', () => {
    const edges = new Map<string, string[]>()
    for (const { from, to } of own) edges.set(from, [...(edges.get(from) ?? []), fileOf(to)])
    expect([...edges.keys()].filter((file) => reaches(file, file, edges))).toEqual([])
  })
})

function fileOf(path: string): string {
  return fileSet.has(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`
}

function reaches(start: string, target: string, edges: Map<string, string[]>): boolean {
  const visited = new Set<string>()
  const open = [...(edges.get(start) ?? [])]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === target) return true
    if (!visited.has(file)) open.push(...(edges.get(file) ?? []))
    visited.add(file)
  }
  return false
}

describe('packages', () => {
  const packages = imports.filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:'))
  const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name

  test('are imported in one folder each', () => {
    const folders = new Map<string, Set<string>>()
    for (const { from, name: imported } of packages) {
      const name = packageOf(imported)
      folders.set(name, (folders.get(name) ?? new Set()).add(folderOf(from)))
    }
    // The sandbox declares its own schemas, since it imports only the catalogue. The schemas of outputs and account files
    // combine those of the catalogue.
    for (const folder of ['sandbox', 'generate', 'account-file', 'commands']) folders.get('valibot')?.delete(folder)
    expect([...folders].filter(([, users]) => users.size > 1).map(([name, users]) => `${name}: ${[...users]}`)).toEqual(
      [],
    )
  })

  test('have their unexported files imported by four modules only', () => {
    // Any version of a package without `exports` may move its files.
    const exportsAny = (name: string) =>
      !('exports' in JSON.parse(readFileSync(join(root, '../node_modules', name, 'package.json'), 'utf8')))
    const deep = packages.filter(({ name }) => name !== packageOf(name) && exportsAny(packageOf(name)))
    expect([...new Set(deep.map(({ from }) => from))]).toEqual([
      'http/parser.ts',
      'http/transport.ts',
      'http/tunnel.ts',
      'output/grid.ts',
    ])
  })

  test('are imported lazily if they are heavy', () => {
    const heavy = [
      '@inquirer',
      'conf',
      'yaml',
      '@jmespath-community/jmespath',
      'lossless-json',
      'cli-table3',
      'chalk',
      'undici',
    ]
    const isHeavy = (name: string) => heavy.some((each) => `${name}/`.startsWith(`${each}/`))
    const early = packages.filter(({ name, typeOnly, lazy }) => isHeavy(name) && !typeOnly && !lazy)
    expect(early.filter(({ from }) => !reachedLazily(from)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  /** True if only `import()` loads the module, or a program that uses skyctl as a library. */
  function reachedLazily(file: string): boolean {
    if (file === 'library.ts') return true
    const users = own.filter(({ to, typeOnly }) => fileOf(to) === file && !typeOnly)
    return users.length > 0 && users.every(({ lazy, from }) => lazy || reachedLazily(from))
  }
})

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

describe('the process', () => {
  const sources = files.map((file) => ({ file, source: withoutComments(readFileSync(join(root, file), 'utf8')) }))

  test('is used in main and in eight other files only', () => {
    const users = sources.filter(
      ({ source }) => /(?<![\w.'`/])process\.\w/.test(source) || /'node:process'/.test(source),
    )
    // sandbox/secrets.ts gets node:crypto from it, and http/network-errors.ts the version that a hint depends on.
    const own = ['files/ownership.ts', 'files/process-id.ts', 'http/network-errors.ts', 'http/parser.ts']
    const allowedUsers = [
      ...own,
      'library.ts',
      'main.ts',
      'platform/system.ts',
      'sandbox/sandbox.ts',
      'sandbox/secrets.ts',
    ]
    expect(users.map(({ file }) => file).sort()).toEqual(allowedUsers)
  })

  test('is ended by main only, after its output has drained', () => {
    expect(
      sources.filter(({ source }) => /process\.(exit|abort|reallyExit)\b(?!Code)/.test(source)).map(({ file }) => file),
    ).toEqual(['main.ts'])
  })
})

test('an action is defined in account/actions only, for the command line, plan and undo', () => {
  const defining = /\bAction(<.*>)? = \{|\baction: \{\s+operation:/
  const definers = files.filter((file) => defining.test(readFileSync(join(root, file), 'utf8')))
  expect(definers.filter((file) => !file.startsWith('account/actions/'))).toEqual([])
})

test('a table of the sandbox is created from its declaration only', () => {
  const opening = /\btables\.add\(|new Table\(/
  const openers = files
    .filter((file) => folderOf(file) === 'sandbox')
    .filter((file) => opening.test(readFileSync(join(root, file), 'utf8')))
  expect(openers.sort()).toEqual(['sandbox/database.ts', 'sandbox/declaration.ts'])
})

test('no test assumes that a path or a port is unused', () => {
  const names = ['test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  // support/nonexistent.ts has both.
  const taken = /['"` ]\/nonexistent|(base.?url)\b.*:\/\/127\.0\.0\.1:\d{1,2}\b/i
  const guilty = names
    .filter((name) => /\.m?[tj]s$/.test(name) && !name.endsWith('architecture.test.ts'))
    .filter((name) => taken.test(readFileSync(join(root, '..', name), 'utf8')))
  expect(guilty).toEqual([])
})

test('a test file that mocks a module reloads it, and removes the mock for other files of its process', () => {
  const text = (name: string) => readFileSync(join(root, '../test', name), 'utf8')
  const mocking = (readdirSync(join(root, '../test'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /^vi\.mock\(/m.test(text(name)))
  const required = ['vi.hoisted(() => vi.resetModules())', 'vi.doUnmock(']
  expect(mocking).not.toEqual([])
  expect(mocking.filter((name) => !required.every((words) => text(name).includes(words)))).toEqual([])
})

test('only isGone compares the code "not_found", to decide that an object is gone', () => {
  const comparing = /(?:[!=]==|case)\s*'not_found'|'not_found'\s*[!=]==/
  expect(files.filter((file) => comparing.test(readFileSync(join(root, file), 'utf8')))).toEqual(['errors/index.ts'])
})

test('only byWay compares the way of an undo, so that a new way does not compile without an answer for each caller', () => {
  const comparing = /undo\??\.by\b/
  const compared = files.filter((file) => comparing.test(readFileSync(join(root, file), 'utf8')))
  expect(compared).toEqual(['account/action-functions.ts'])
})

describe('casts', () => {
  /** Casts with their file, without `as const`. */
  const casts = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const casts: { text: string; isDouble: boolean }[] = []
    const textOf = ({ start, end }: Node) => source.slice(start, end)
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.values(value).forEach(visit)
      if (!isNode(value) || !isCast(value) || (value.typeAnnotation && textOf(value.typeAnnotation) === 'const')) return
      casts.push({ text: `${file}: ${textOf(value)}`, isDouble: isCast(inner(value)) })
    }
    visit(parseAst(source, { lang: 'ts' }))
    return casts
  })

  test('occur at most 31 times in the source, since a type guard or a better type is safer', () => {
    expect(casts.length > 31 ? casts.map(({ text }) => text) : []).toEqual([])
  })

  test('are never double, since `as unknown as T` accepts anything', () => {
    expect(casts.filter(({ isDouble }) => isDouble).map(({ text }) => text)).toEqual([])
  })
})

interface Node {
  type: string
  start: number
  end: number
  typeAnnotation?: Node
  expression?: Node
}

const isNode = (value: object): value is Node => 'type' in value
const isCast = (node?: Node) => ['TSAsExpression', 'TSTypeAssertion', 'TSNonNullExpression'].includes(node?.type ?? '')
const inner = ({ expression }: Node): Node | undefined =>
  expression?.type === 'ParenthesizedExpression' ? inner(expression) : expression

test('no function has more than 40 lines', () => {
  const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
  const long = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const functionsTooLong: string[] = []
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.values(value).forEach(visit)
      if (!isNode(value) || !functions.includes(value.type)) return
      const lines = source.slice(value.start, value.end).split('\n')
      if (lines.length > 40) functionsTooLong.push(`${file}: ${lines[0]}`)
    }
    visit(parseAst(source, { lang: 'ts' }))
    return functionsTooLong
  })
  expect(long).toEqual([])
})

test('no source file has more than 250 lines', () => {
  expect(files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 251)).toEqual([])
})

describe('a file of its own', () => {
  /** Files that are started or bundled by themselves. */
  const entries = [
    'completion/index.ts',
    'platform/code-cache.ts',
    'generate/files.ts',
    'library.ts',
    'main.ts',
    'rules/phone-number-library.ts',
  ]
  /** Files that import similar files to list them. */
  const lists =
    /^(audit\/checks|commands\/doctor|generate\/schemas|sandbox\/handlers\/\w+|sandbox\/tables|account-file\/kinds)\/index\.ts$|^(generate\/files|commands\/help\/topics)\.ts$/
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
  const layerOf = (file: string) => (file.includes('/') ? folderOf(file) : '')
  const usersOf = new Map<string, Import[]>()
  for (const one of own) usersOf.set(fileOf(one.to), [...(usersOf.get(fileOf(one.to)) ?? []), one])

  /** Returns the reason for the file; undefined if its only importer could as well contain it. */
  function reasonOf(file: string): string | undefined {
    const users = usersOf.get(file) ?? []
    const [user, ...others] = new Set(users.map(({ from }) => from))
    if (user === undefined) return entries.includes(file) ? 'entry' : undefined
    if (others.length > 0) return 'shared'
    if (users.some(({ lazy }) => lazy) && users.every(({ lazy, typeOnly }) => lazy || typeOnly)) return 'loaded lazily'
    if (layerOf(user) !== layerOf(file)) return 'another layer'
    if (lists.test(user)) return 'entry of a list'
    return linesOf(file) + linesOf(user) > 200 ? 'more than 200 lines together' : undefined
  }

  test('is imported twice, loaded lazily, of another layer, in a list, or too large for its importer', () => {
    expect(files.filter((file) => reasonOf(file) === undefined)).toEqual([])
  })
})

test.each([
  ['account/account.ts', 'Account', 9],
  ['account/action.ts', 'Action', 10],
  ['engine/change-definition.ts', 'ChangeCommand', 12],
  ['engine/session.ts', 'Session', 8],
])('%s: %s has at most %i keys', (file, name, most) => {
  const source = readFileSync(join(root, file), 'utf8')
  const [, head = '', body = ''] =
    new RegExp(`^export interface ${name}\\b(.*?)\\{\\n(.*?)\\n\\}`, 'ms').exec(source) ?? []
  const picked = /Pick<Command, ([^>]*)>/.exec(head)?.[1]?.split('|') ?? []
  const own = body.match(/^ {2}(?:readonly )?\w+(?=\??[:(])/gm) ?? []
  expect(own.length).toBeGreaterThan(5)
  expect([...picked, ...own].length).toBeLessThanOrEqual(most)
})

describe('names', () => {
  const exported = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const declared = source.matchAll(/^export (?:async )?(type|interface|class|function\*?|const) (\w+)/gm)
    return [...declared].map(([, kind = '', name = '']) => ({
      file,
      name,
      isType: ['type', 'interface', 'class'].includes(kind),
    }))
  })

  test('no type is exported twice under one name', () => {
    const types = exported.filter(({ isType }) => isType)
    const isShared = (one: string) => types.filter(({ name }) => name === one).length > 1
    expect(types.filter(({ name }) => isShared(name)).map(({ file, name }) => `${name}: ${file}`)).toEqual([])
  })

  test('a value is exported only if another file of the repository uses it', () => {
    const wordsIn = (path: string) => new Set(readFileSync(path, 'utf8').match(/\w+/g))
    const sources = files.map((file) => ({ file, words: wordsIn(join(root, file)) }))
    const others = ['bin', 'build', 'bench', 'test'].flatMap((folder) =>
      readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[cm]?[jt]s$/.test(name))
        .map((name) => wordsIn(join(root, '..', folder, name))),
    )
    const isUsed = (name: string, file: string) =>
      sources.some((one) => one.file !== file && one.words.has(name)) || others.some((words) => words.has(name))
    const unused = exported.filter(({ file, name, isType }) => !isType && !isUsed(name, file))
    expect(unused.map(({ file, name }) => `${name}: ${file}`)).toEqual([])
  })

  const guide = readFileSync(join(root, '../docs/architecture.md'), 'utf8')

  test('the glossary has at most 40 words, each with a name that the source exports', () => {
    const rows = [...guide.matchAll(/^\| (?!Word |-)(.+?) \| .*\((.+)\) \|$/gm)]
    const names = rows.flatMap(([, word, list = '']) => list.split(', ').map((name) => ({ word, name })))
    const exportedNames = new Set(exported.map(({ name }) => `\`${name}\``))
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.length).toBeLessThanOrEqual(40)
    expect(names.filter(({ name }) => !exportedNames.has(name))).toEqual([])
  })

  test('the guide to the source names files that exist', () => {
    const paths = [...guide.matchAll(/`([a-z][a-z\d/.-]*\.ts)`/g)].map(([, path = '']) => path)
    const isThere = (path: string) => existsSync(join(root, path)) || existsSync(join(root, '..', path))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  test('comments name files that exist', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf))
    const reference = new RegExp(
      `(?<![\\w./])(?:\\.{1,2}|${[...folders].join('|')})/[a-z][a-z/-]*[a-z](?![\\w/-]|\\.\\w)`,
      'g',
    )
    const isThere = (path: string) => [`${path}.ts`, path].some((one) => existsSync(join(root, one)))
    const named = files.flatMap((file) =>
      (readFileSync(join(root, file), 'utf8').match(/^ *(?:\/\*\*|\*|\/\/) .*/gm) ?? [])
        .flatMap((line) => line.match(reference) ?? [])
        .map((path) => ({ file, path: path.startsWith('.') ? posix.join(dirname(file), path) : path })),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(({ path }) => !isThere(path))).toEqual([])
  })

  test('the top level holds what tools and readers expect there, and nothing that a command wrote', () => {
    const folders = ['.ci', '.github', 'bench', 'bin', 'build', 'completions', 'docs', 'findings', 'src', 'test']
    const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'action.yml']
    const settings = ['.editorconfig', '.gitignore', 'biome.json', 'tsconfig.json', 'vitest.config.mts']
    const packages = ['package.json', 'package-lock.json']
    const ignored = readFileSync(join(root, '..', '.gitignore'), 'utf8').split('\n')
    const isIgnored = (name: string) =>
      ['.git', ...ignored.map((line) => line.replaceAll('/', ''))].includes(name) || name.endsWith('.tgz')
    const names = readdirSync(join(root, '..')).filter((name) => !isIgnored(name))
    expect(names.toSorted()).toEqual([...folders, ...texts, ...settings, ...packages].toSorted())
  })
})
