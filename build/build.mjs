/**
 * Bundles src/ and the packages that it imports into dist/, so that an installed skyctl is one package without a tree.
 *
 * The cost of a start is the text that is compiled (25 ms per megabyte on Node 20) and the files that are found (0.2 ms
 * each). So modules that are needed together share a file: see `filesOf`. An import from another file becomes a lookup
 * there. A file of `hoisted` has one scope, and is evaluated as a whole. In the other files, every module is evaluated
 * when it is first imported, as without bundling. The files are CommonJS, since Node 20 starts an ES module 4 ms later.
 *
 * esbuild itself splits only ES modules, into 131 files. That may replace `filesOf`, `files` and `lookups` when no
 * supported version of Node is slower with them: a list takes 38, 34 and 23 ms of CPU time more on Node 20.20, 22.23
 * and 24.21.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build as bundle, transform } from 'esbuild'
import { channels } from 'undici/lib/core/diagnostics.js'
import llhttp from 'undici/lib/llhttp/constants.js'
import { billOfMaterials } from './bill.mjs'
import { licences } from './licences.mjs'
import { generatedFiles } from './sources.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const entry = 'src/main.ts'
/** Help of the root and of groups, which is in the file of the entry. */
const help = 'src/engine/help.ts'
/** Reports failures. It is in that file, too: a run that may open no more files could not load another. */
const report = 'src/cli/report-failure.ts'
/** The library, in a file of its own. It shares the others with the command line. */
const library = 'src/library.ts'
/** Loads the other files. The launcher calls it. */
const loader = 'src/platform/code-cache.ts'
/** Stores the code that the loader had to compile. */
const writer = 'src/platform/code-writer.ts'
/** Answers Tab. The launcher calls it instead of the program. */
const completion = 'src/completion/index.ts'

/** Modules that every command with a request loads, in their order; those of stored contexts if there are any. */
const request = [
  'src/cli/run-session.ts',
  'src/config/read-config.ts',
  'src/config/override-warnings.ts',
  'src/config/credential.ts',
  'src/cli/clients.ts',
  'src/http/transport.ts',
  'src/http/request-outcome.ts',
]

/** Modules of a request without an answer, which most runs do not need. */
const network = ['src/http/network-errors.ts']

/** Modules of a connection through a proxy, and what only one of SOCKS5 needs. */
const proxy = ['src/http/proxy.ts', 'src/http/tunnel.ts']
const socks = ['undici/lib/core/socks5-client.js']

/** The most frequent list, also with a filter. */
const volumes = ['src/commands/volumes/index.ts', 'src/commands/volumes/list.ts', 'src/account/filter-refusal.ts']

const table = ['src/output/table.ts']

/** Modules of every command that lists or shows objects of a collection. */
const reading = ['src/engine/list.ts', 'src/engine/view-command.ts']

/** Modules of every command that changes something. */
const changing = ['src/engine/change-command.ts', 'src/account/perform.ts']

/** Modules that every change loads when it is sent, recorded and waited for. */
const sending = [
  'src/engine/run-change.ts',
  'src/engine/change-targets.ts',
  'src/engine/ask-about.ts',
  'src/account/protection.ts',
  'src/account/history/before-change.ts',
  'src/account/history/compare-states.ts',
  'src/engine/history.ts',
  'src/account/history/index.ts',
  'src/account/name-cache.ts',
  'src/account/regions.ts',
  'src/account/wait.ts',
  'src/http/expect-same-object.ts',
]

/** Modules of several changes at a time. */
const several = ['src/engine/make-changes.ts']

/**
 * Files whose modules share one scope, with the files that each of them needs. A run that loads such a file needs
 * nearly all of its modules. One scope saves a function and copied exports for each module: 7 % of the instructions
 * that a list adds to bare node.
 */
const hoisted = {
  main: [],
  commands: ['main'],
  'list-volumes': ['commands'],
  request: ['commands', 'main', 'undici-parts'],
  table: ['commands', 'main'],
  catalogue: ['commands', 'main'],
}

/**
 * Least size of main.js. V8 stores texts of this size apart from young objects. Otherwise, the help of nested groups
 * fills the first MiB with it on Node 26, and V8 collects garbage: 2 % of its instructions.
 */
const leastMainSize = 128 * 1024

/** Modules that answer if no account is set up, without the areas of its API. */
const sandbox = ['src/sandbox/context.ts', 'src/sandbox/sandbox.ts', 'src/sandbox/file-storage.ts']

/**
 * Files of modules that are loaded late, once the command is known, and by few of those that load others of their
 * folder.
 */
const apart = [
  { file: 'filter', modules: /^src\/engine\/filter\// },
  { file: 'help', modules: /^src\/(engine\/command-help|output\/continued-command)\.ts$/ },
  { file: 'overview', modules: /^src\/commands\/overview\// },
  { file: 'flows', modules: /^src\/commands\/flows\// },
  { file: 'later', modules: /^src\/commands\// },
  { file: 'prompts', modules: /^src\/cli\/prompts\// },
  { file: 'debug-file', modules: /^src\/cli\/debug-file\.ts$/ },
  { file: 'schemas', modules: /^src\/(account-file|catalogue)\/(json-schema|ports-schema|openapi)\.ts$/ },
  { file: 'sandbox', modules: /^src\/sandbox-context\.ts$/ },
]

/** Packages that are in the file of the modules that import them: small ones, once unused code is removed. */
const within = new Set(['commander', 'valibot', 'libphonenumber-js/min'])

/** Files that are no modules: they are in the file of the module that imports them. */
const isText = /\.json|^completions\//

/** The constants of undici's parser that its client uses: two of 31, of 10 KB. */
const client = await readFile(join(root, 'node_modules/undici/lib/dispatcher/client-h1.js'), 'utf8')
const usedConstants = Object.fromEntries(
  [...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => [name, llhttp[name]]),
)

/** Imports for features that skyctl never or seldom uses, with a sufficient replacement. Times are of Node 20. */
const replaced = [
  // The help of lists loads this module, and checks no addresses. Others check a million: to require it each time takes
  // longer than the check.
  {
    importer: /\/src\/rules\/address-syntax\.ts$/,
    path: /^node:net$/,
    by: `(() => {
      let net
      const late = (name) => (text) => (net ??= require("node:net"))[name](text)
      return { isIPv4: late("isIPv4"), isIPv6: late("isIPv6") }
    })()`,
  },
  // 2 to 5 ms for executable subcommands, which skyctl does not have.
  { importer: /\/commander\//, path: /^node:child_process$/, by: '{}' },
  // Loads node:http2, for connections that may use HTTP/2.
  { importer: /\/undici\//, path: /\/client-h2\.js$/, by: '() => { throw new Error("HTTP/2 is not built in") }' },
  // Forms and streams as bodies; skyctl sends text. 1 ms to compile.
  {
    importer: /\/client-h1\.js$/,
    path: /\/web\/fetch\/body\.js$/,
    by: '{ extractBody() { throw new Error("only text can be sent") } }',
  },
  // 2 ms for a class that no body of skyctl is an instance of, and for this default.
  {
    importer: /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/,
    path: /^node:http$/,
    by: '{ maxHeaderSize: 16384 }',
  },
  // 1 ms; undici only calls it as a function.
  {
    importer: /\/undici\//,
    path: /^node:assert$/,
    by: '(holds, message = "an assertion of undici does not hold") => { if (!holds) throw new Error(message) }',
  },
  // Header names in a tree, and a record of them, for servers with many requests: 0.5 ms with bun. Other names are
  // looked up without success, and converted to lower case.
  { importer: /\/undici\//, path: /\/tree$/, by: '{ tree: { lookup() {} } }' },
  { importer: /\/undici\//, path: /^\.\/constants$/, by: '{ headerNameLowerCasedRecord: { __proto__: null } }' },
  // Objects as queries; skyctl has them in the path.
  { importer: /\/undici\//, path: /^node:querystring$/, by: '{}' },
  // Nobody subscribes to undici's diagnostics.
  {
    importer: /\/undici\//,
    path: /\/diagnostics\.js$/,
    by: `{ channels: ${JSON.stringify(Object.fromEntries(Object.keys(channels).map((name) => [name, { hasSubscribers: false }])))} }`,
  },
  { importer: /\/client-h1\.js$/, path: /\/llhttp\/constants\.js$/, by: JSON.stringify(usedConstants) },
  // A second HTTP parser, for long streams: 72 KB. undici uses the other one if this does not compile.
  { importer: /\/undici\//, path: /\/llhttp_simd-wasm\.js$/, by: 'undefined' },
  // For schemas and migrations, which skyctl does not give to conf: 180 KB.
  { importer: /\/conf\//, path: /^ajv\/dist\/2020\.js$/, by: '{}' },
  { importer: /\/conf\//, path: /^ajv-formats$/, by: '{}' },
  { importer: /\/conf\//, path: /^semver$/, by: '{}' },
  // 17 KB of emojis, to measure widths, which output/grid.ts does instead.
  { importer: /\/cli-table3\//, path: /^string-width$/, by: '() => { throw new Error("grid.ts measures") }' },
  // Both end the process at the first signal, for tasks that skyctl does itself: it removes drafts of conf, and
  // forwards signals to prompts.
  { importer: /\/atomically\//, path: /^when-exit$/, by: '() => {}' },
  { importer: /\/@inquirer\/core\//, path: /^signal-exit$/, by: '{ onExit: () => () => {} }' },
]

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  outdir: 'dist',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Node prints the line of an uncaught problem.
  lineLimit: 300,
  supported: {
    // Modules of Node are also required: `import()` would first load Node's loader of ES modules.
    'dynamic-import': false,
    // Otherwise, esbuild creates such an expression when the file is loaded. An unused literal is removed. valibot has
    // one of all emojis: 0.2 ms.
    'regexp-unicode-property-escapes': true,
  },
  metafile: true,
  write: false,
  logLevel: 'error',
  // CommonJS has no `import.meta`.
  // A hoisted file imports its modules, and exports them as CommonJS.
  logOverride: { 'empty-import-meta': 'error', 'commonjs-variable-in-esm': 'silent' },
}

/** For code that appears in no trace that anybody reads: packages, and the code cache, whose failures are ignored. */
const minifiedNames = { minifyIdentifiers: true }

/**
 * Builds dist/ from src/, and removes everything else there. sbom.cdx.json lists its packages. First generates the
 * outline of the commands, the completion table and the man pages.
 */
export default async function build() {
  const { built, types } = await generatedFiles()
  for (const [path, text] of built) await writeIfChanged(join(root, path), text)
  const imports = await readImports()
  const fileOf = filesOf(imports)
  const contents = contentsOf(imports, fileOf)
  checkHoisted(imports, fileOf)
  const keyOf = keysOf(contents)
  const namesOf = await readNames(Object.keys(imports).filter((module) => fileOf(module) in hoisted))
  const { replace, unmatched } = replacer()
  const bundleFiles = (names, more) =>
    bundle({
      ...options,
      ...more,
      entryPoints: names.map((name) => ({ in: `part:${name}`, out: name })),
      plugins: [replace, parsed, shortNames, files(contents, { keyOf, namesOf }), lookups(imports, { fileOf, keyOf })],
    })
  const isOwn = (name) => [...contents.get(name)].some((module) => module in imports)
  const names = [...contents.keys()]
  const results = [
    // Names of our functions stay, since traces of --debug have them.
    await bundleFiles(names.filter(isOwn)),
    await bundleFiles(
      names.filter((name) => !isOwn(name)),
      minifiedNames,
    ),
  ]
  const unused = unmatched()
  if (unused.length > 0) throw new Error(`nothing imports what build.mjs replaces: ${unused.join(', ')}`)
  const [own, others] = results.map(textsOf)
  const texts = new Map([...own.map(useExportsDirectly), ...others].map(resolveLookups))
  texts.set('main.js', texts.get('main.js').padEnd(leastMainSize))
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  texts.set('library.d.ts', types)
  texts.set('library.d.mts', "export * from './library.js'\n")
  texts.set('library.mjs', "import library from './library.js'\n\nexport const { openAccount, Problem } = library\n")
  texts.set('THIRD-PARTY-LICENSES', await licences(root, inputs))
  for (const [name, text] of textsOf(await bundle({ ...options, ...minifiedNames, entryPoints: [writer] })))
    texts.set(name, text)
  const entryPoints = [{ in: completion, out: 'completion' }]
  for (const [name, text] of textsOf(await bundle({ ...options, plugins: [parsed], entryPoints })))
    texts.set(name, text)
  // Written last: a run that still sees old files must not cache them as those of this build.
  const [[name, text]] = textsOf(
    await bundle({ ...options, ...minifiedNames, entryPoints: [loader], define: { BUILD: hashOf(texts) } }),
  )
  await writeAll(dist, expectAscii(texts.set(name, text)))
  await writeIfChanged(join(root, 'sbom.cdx.json'), await billOfMaterials(root, inputs))
}

const textsOf = ({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])

/**
 * Uses the exports of another file as they are. esbuild copies them twice, key by key, each as a getter of a getter: 1
 * ms of a list, and every call for a record passes both. The process is imported as a whole: copying it creates its
 * streams on bun, which opens stdin, 2 ms of a list. So are bytes, which have a key each.
 */
const copyHelpers = [
  [
    '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod)',
    '__toCommonJS=mod=>mod.__esModule?mod:__defProp(mod,"__esModule",{value:!0})',
  ],
  [
    '__toESM=(mod,isNodeMode,target)=>(',
    '__toESM=(mod,isNodeMode,target)=>mod&&mod.__esModule?mod:mod===process||ArrayBuffer.isView(mod)?{default:mod}:(',
  ],
]

function useExportsDirectly([name, text]) {
  const changed = copyHelpers.reduce((before, [helper, instead]) => before.replace(helper, () => instead), text)
  for (const [helper, instead] of copyHelpers) {
    const helperName = helper.slice(0, helper.indexOf('='))
    if (changed.includes(`${helperName}(`) && !changed.includes(instead))
      throw new Error(`${helperName} of ${name} is another`)
  }
  return [name, changed]
}

/** Turns `require("./main.js#m1")`, the form in which `lookups` names an export, into `require("./main.js").m1`. */
function resolveLookups([name, text]) {
  return [name, text.replace(/(require\("\.\/[^"#]+)#(\w+)"\)/g, '$1").$2')]
}

/** Returns a hash of the texts as a literal. */
function hashOf(texts) {
  const hash = createHash('sha256')
  for (const part of texts) hash.update(JSON.stringify(part))
  return JSON.stringify(hash.digest('hex').slice(0, 16))
}

/** The loader reads ASCII. esbuild writes escapes, but not in tagged templates, whose functions see the source. */
function expectAscii(texts) {
  for (const [name, text] of texts) {
    const [other] = name.endsWith('.js') ? (/.{0,40}[^\0-\x7f].{0,40}/.exec(text) ?? []) : []
    if (other !== undefined) throw new Error(`${name} is not ASCII: write this as a string in \${}: ${other}`)
  }
  return texts
}

/**
 * Returns the imports of each of our modules: modules as paths below the root and packages by name, without those of
 * Node.
 */
async function readImports() {
  const { metafile } = await bundle({ ...options, entryPoints: [entry, library], packages: 'external' })
  const modules = Object.entries(metafile.inputs).filter(([path]) => path.startsWith('src/'))
  return Object.fromEntries(
    modules.map(([path, { imports }]) => [
      path,
      imports
        .filter(({ path }) => path.startsWith('src/') || !(isBuiltin(path) || within.has(path) || isText.test(path)))
        .map(({ path, kind, original = path }) => ({ path, original, lazy: kind === 'dynamic-import' })),
    ]),
  )
}

/** Returns the names of each module's exports. */
async function readNames(modules) {
  const { metafile } = await bundle({ ...options, format: 'esm', bundle: false, entryPoints: modules })
  const names = new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]))
  return (module) => names.get(module)
}

/** Checks the table of `hoisted`: such a file loads everything that it needs at once. */
function checkHoisted(imports, fileOf) {
  for (const [file, expected] of Object.entries(hoisted)) {
    const imported = Object.keys(imports)
      .filter((module) => fileOf(module) === file)
      .flatMap((module) => imports[module].filter(({ lazy }) => !lazy).map(({ path }) => fileOf(path)))
    const needed = [...new Set(imported)].filter((other) => other !== file).sort()
    if (needed.join() !== expected.join())
      throw new Error(`${file} needs ${needed.join(', ')}, other than build.mjs says`)
  }
}

/**
 * Returns a function that maps a module to its file:
 *
 * - `main`: needed by every start, or by the help of groups
 * - `network`: needed only by a request without an answer; `proxy`, `socks`: with a proxy
 * - `commands`: needed by several groups, and by lists of volumes
 * - `list-volumes`: needed only by that list; `table`: only by tables; `request`: only to send something
 * - `catalogue`: shared by several groups and the sandbox
 * - `verbs`: needed by several groups, and by other volume commands
 * - `sending`: needed by every change once its line was read; `local`: needed for that and by reading commands, mostly for
 *   what this machine keeps of an account
 * - `reads`: needed by several groups, and by their commands that list or show objects
 * - `changes`: other modules that several groups need
 * - `commands-ips`: needed only by this group; `changes-ips`: only by its commands that change something
 *
 * Any other module is in the file of its folder, or in one of `apart`. A package is a file of its own. Modules that are
 * imported by their path in a package share one, and so do the packages of a scope.
 */
function filesOf(imports) {
  const fileOf = new Map()
  const put = (file, modules) => {
    for (const module of modules) if (!fileOf.has(module)) fileOf.set(module, file)
  }
  const groups = groupsOf(imports)
  const needs = [...groups.values(), request, several].map((roots) => loadedBy(roots, imports))
  const isShared = (module) => needs.filter((modules) => modules.has(module)).length > 1
  const shared = new Set(needs.flatMap((modules) => [...modules]).filter(isShared))
  const putShared = (file, roots) => {
    put(
      file,
      [...loadedBy(roots, imports)].filter((module) => shared.has(module)),
    )
  }
  put('main', loadedBy([entry, help, report], imports))
  put('network', network)
  put('proxy', proxy)
  put('socks', socks)
  // Scripts start lists most often: code that only other commands share is not compiled with them.
  putShared('commands', [...volumes, ...table, ...request])
  const forSandbox = loadedBy(sandbox, imports)
  put(
    'catalogue',
    needs.flatMap((modules) => [...modules].filter((module) => forSandbox.has(module))),
  )
  putShared('verbs', groups.get('volumes'))
  const forRequest = loadedBy(request, imports)
  const forReading = loadedBy(
    [...groups.values()].flat().filter((root) => isReading(root, imports)),
    imports,
  )
  const forChange = [...loadedBy(sending, imports)].filter((module) => !forRequest.has(module))
  put(
    'local',
    forChange.filter((module) => forReading.has(module)),
  )
  put('sending', forChange)
  put(
    'reads',
    [...forReading].filter((module) => shared.has(module)),
  )
  put('changes', shared)
  put('list-volumes', loadedBy(volumes, imports))
  put('table', loadedBy(table, imports))
  for (const [group, roots] of groups) {
    const unchanging = roots.filter((root) => !isChanging(root, imports))
    put(group === 'volumes' ? 'verbs' : `commands-${group}`, loadedBy(unchanging, imports))
    put(`changes-${group}`, loadedBy(roots, imports))
  }
  put('request', forRequest)
  return (path) => {
    if (fileOf.has(path)) return fileOf.get(path)
    if (path in imports) return apart.find(({ modules }) => modules.test(path))?.file ?? path.split(/[/.]/)[1]
    const [, scope, name, inner] = /^(@)?([^/]+)(\/)?/.exec(path)
    return scope || inner ? `${name}-parts` : name
  }
}

/** Returns the modules of each group: its own and those of its commands, which are loaded when they are used. */
function groupsOf(imports) {
  const lazyOf = (module) => imports[module].filter(({ lazy }) => lazy).map(({ path }) => path)
  const withCommands = (module) => {
    const below = `${dirname(module)}/`
    const inner = basename(module) === 'index.ts' ? lazyOf(module).filter((path) => path.startsWith(below)) : []
    return [module, ...inner.flatMap(withCommands)]
  }
  return new Map(lazyOf('src/commands/index.ts').map((root) => [commandOf(root), withCommands(root)]))
}

/** Returns the word of a command or group. */
const commandOf = (root) => basename(basename(root) === 'index.ts' ? dirname(root) : root, '.ts')

function isChanging(root, imports) {
  const modules = loadedBy([root], imports)
  return changing.some((module) => modules.has(module))
}

/**
 * Reports whether a module is a group, shows one object, or reads several. The first two load no module of `reading`.
 */
function isReading(root, imports) {
  if (isChanging(root, imports)) return false
  const modules = loadedBy([root], imports)
  return ['index.ts', 'view.ts'].includes(basename(root)) || reading.some((module) => modules.has(module))
}

/** Returns these modules, and those of ours that are loaded with them. */
function loadedBy(modules, imports) {
  const loaded = new Set(modules)
  for (const module of loaded) {
    for (const { path, lazy } of imports[module]) if (!lazy && path in imports) loaded.add(path)
  }
  return loaded
}

/** A hoisted file also looks up its own modules if they are imported late: esbuild would put each into a function. */
const isLookup = (file, { lazy, from }) => file !== from || (lazy && file in hoisted)

/** Returns the modules that each file exports. */
function contentsOf(imports, fileOf) {
  const contents = new Map([
    ['main', new Set()],
    ['library', new Set()],
  ])
  for (const [module, imported] of Object.entries(imports)) {
    for (const { path, lazy } of imported) {
      const file = fileOf(path)
      if (isLookup(file, { lazy, from: fileOf(module) }))
        contents.set(file, (contents.get(file) ?? new Set()).add(path))
    }
  }
  return contents
}

/** Returns short keys for exported modules, since each lookup has a key three times. */
function keysOf(contents) {
  const paths = [...new Set([...contents.values()].flatMap((modules) => [...modules]))].sort()
  const keys = new Map(paths.map((path, index) => [path, `m${index.toString(36)}`]))
  return (path) => keys.get(path)
}

/**
 * `part:NAME` is a module that exports the modules of a file by their keys. `main` also exports the function for bin/.
 */
function files(contents, names) {
  return {
    name: 'files',
    setup(build) {
      build.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }))
      build.onLoad({ filter: /.*/, namespace: 'part' }, ({ path: name }) => {
        if (name === 'library') return { contents: `module.exports = ${required(library)}`, resolveDir: root }
        const exported = [...contents.get(name)].sort()
        const text = name in hoisted ? hoistedPart(name, exported, names) : lazyPart(exported, names)
        return { contents: text, resolveDir: root }
      })
    },
  }
}

/** Evaluates each module when it is first looked up. */
function lazyPart(exported, { keyOf }) {
  return `module.exports = { ${exported.map((path) => `get ${keyOf(path)}() { return ${required(path)} },`).join('\n')} }`
}

/** Evaluates all modules at once. Their exports are copied, since they never change later. */
function hoistedPart(name, modules, { keyOf, namesOf }) {
  const lines = modules.map((path) => {
    const pairs = namesOf(path).map((exported) => [exported, `${keyOf(path)}_${exported}`])
    return {
      imported: `import { ${pairs.map(([exported, local]) => `${exported} as ${local}`).join()} } from './${path}'`,
      offer: `${keyOf(path)}: { __esModule: true, ${pairs.map(([exported, local]) => `${exported}: ${local}`).join()} }`,
    }
  })
  if (name === 'main') lines.push({ imported: `import { main } from './${entry}'`, offer: 'main' })
  return `${lines.map(({ imported }) => imported).join('\n')}
module.exports = { ${lines.map(({ offer }) => offer).join(',\n')} }`
}

const required = (path) => `require('${path.startsWith('src/') ? `./${path}` : path}')`

/** Turns imports of our modules from another file into lookups there. */
function lookups(imports, { fileOf, keyOf }) {
  return {
    name: 'lookups',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path: original, importer, kind }) => {
        const module = relative(root, importer).replaceAll('\\', '/')
        const path = imports[module]?.find((each) => each.original === original)?.path
        const lazy = kind === 'dynamic-import'
        if (path === undefined || !isLookup(fileOf(path), { lazy, from: fileOf(module) })) return undefined
        return { path: `./${fileOf(path)}.js#${keyOf(path)}`, external: true }
      })
    },
  }
}

/** Loads JSON as a text to parse, which takes V8 a tenth of the time of the same object as source. */
const parsed = {
  name: 'parsed',
  setup(build) {
    build.onLoad({ filter: /\/build\/(outline|completions)\.json$/ }, async ({ path }) => ({
      contents: `export default JSON.parse(${JSON.stringify(await readFile(path, 'utf8'))})`,
    }))
  },
}

/** Shortens the names in packages that share a file with our modules: 14 KB of commander. Its classes keep theirs. */
const shortNames = {
  name: 'short-names',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/(commander|valibot)\// }, async ({ path }) => {
      const { target, minifySyntax, minifyWhitespace, supported } = options
      const text = await readFile(path, 'utf8')
      const { code } = await transform(text, { target, minifySyntax, minifyWhitespace, supported, ...minifiedNames })
      return { contents: code }
    })
  },
}

/** `unmatched` returns paths that matched no import: a package may have moved a module that we leave out. */
function replacer() {
  const matched = new Set()
  const replace = {
    name: 'replace',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer }) => {
        const from = importer.replaceAll('\\', '/')
        const index = replaced.findIndex((each) => each.importer.test(from) && each.path.test(path))
        if (index < 0) return undefined
        matched.add(replaced[index])
        return { path: String(index), namespace: 'replaced' }
      })
      build.onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path: index }) => ({
        contents: `module.exports = ${replaced[index].by}`,
      }))
    },
  }
  return { replace, unmatched: () => replaced.filter((each) => !matched.has(each)).map(({ path }) => path) }
}

/** Leaves unchanged files alone, and replaces the others as a whole, so that running programs are not disturbed. */
async function writeAll(folder, texts) {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of texts) await writeIfChanged(join(folder, name), text)
  const stale = (await readdir(folder)).filter((name) => !texts.has(name))
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

async function writeIfChanged(path, text) {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return
  const temporary = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(temporary, text)
  await rename(temporary, path)
}

// The bundler has printed errors in the sources.
if (process.argv[1] === import.meta.filename) {
  await build().catch((error) => {
    if (!error.errors) console.error(error)
    process.exitCode = 1
  })
}
