/**
 * Bundles src/ and the packages that it imports into dist/, so that an installed skyctl is one package without a tree.
 *
 * What a start costs is the text that is compiled (25 ms a megabyte on Node 20) and the files that are found (0.2 ms
 * each). So the modules are put into a few files by what is needed together: see `filesOf`. An import from another file
 * becomes a lookup there. A file of `hoisted` has one scope, and is evaluated as a whole. In the other files, every module
 * is evaluated when it is first imported, as it would be without bundling.
 * The files are CommonJS, since Node 20 starts an ES module 4 ms later.
 *
 * esbuild itself splits ES modules only, into 131 files. That may replace `filesOf`, `files` and `lookups` when no Node
 * that we support is slower with them: a list takes 38, 34 and 23 ms of CPU time more on Node 20.20, 22.23 and 24.21.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build as bundle } from 'esbuild'
import { channels } from 'undici/lib/core/diagnostics.js'
import llhttp from 'undici/lib/llhttp/constants.js'
import { billOfMaterials } from './bill.mjs'
import { licences } from './licences.mjs'
import { generatedFiles } from './sources.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const entry = 'src/main.ts'
/** The library form, in a file of its own; it shares the others with the command line. */
const library = 'src/library.ts'
/** Loads the others; the launcher calls it. */
const loader = 'src/code-cache.ts'
/** Keeps what the loader had to compile. */
const writer = 'src/code-writer.ts'

/** What any command loads, one after the other, that sends a request. */
const request = [
  'src/run-session.ts',
  'src/config/store.ts',
  'src/config/acting-account.ts',
  'src/clients.ts',
  'src/http/transport.ts',
]

/** The list that is asked most. */
const volumes = ['src/commands/volumes/index.ts', 'src/commands/volumes/list.ts']

const table = ['src/output/table.ts']

/** What every command loads that lists or shows objects of several. */
const reading = ['src/engine/list.ts', 'src/engine/view-command.ts']

/** What every command loads that changes something. */
const changing = ['src/engine/change-command.ts', 'src/account/change.ts']

/**
 * Files whose modules share one scope, and the files that each of them needs. A run that loads such a file needs nearly all
 * of its modules; one scope saves the function and the copied exports of each module: 7 % of the instructions that a list
 * adds to bare node.
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
 * V8 holds texts of this size apart from young objects. With the text of main.js among them, the help of nested groups
 * fills the first MiB on Node 26, and V8 collects garbage: 2 % of its instructions.
 */
const apartFrom = 128 * 1024

/** What answers where no account is set up, but for the areas of its API. */
const sandbox = ['src/sandbox-context.ts', 'src/sandbox/sandbox.ts', 'src/sandbox/file-storage.ts']

/** Files of modules that are loaded once it is known what is asked, by few of those that load others of their folder. */
const apart = [
  { file: 'filter', modules: /^src\/engine\/filter\// },
  { file: 'help', modules: /^src\/engine\/command-help\.ts$/ },
  { file: 'overview', modules: /^src\/commands\/overview\// },
  { file: 'later', modules: /^src\/commands\// },
  { file: 'sandbox', modules: /^src\/sandbox-context\.ts$/ },
]

/** Packages that go into the file of the modules that import them: small ones, once what we do not use is dropped. */
const within = new Set(['commander', 'valibot', 'libphonenumber-js/min'])

/** The constants of undici's parser that its client uses: two of 31, of 10 KB. */
const client = await readFile(join(root, 'node_modules/undici/lib/dispatcher/client-h1.js'), 'utf8')
const usedConstants = Object.fromEntries(
  [...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => [name, llhttp[name]]),
)

/** What is imported for things that we never do, or seldom, and what is enough instead. Times are of Node 20. */
const replaced = [
  // Help of lists reads these modules, and checks no addresses.
  {
    importer: /\/src\/(rules\/address-syntax|http\/proxy)\.ts$/,
    path: /^node:net$/,
    by: '{ get isIP() { return require("node:net").isIP }, get isIPv4() { return require("node:net").isIPv4 }, get isIPv6() { return require("node:net").isIPv6 } }',
  },
  // 2 to 5 ms for executable subcommands, which we have none of.
  { importer: /\/commander\//, path: /^node:child_process$/, by: '{}' },
  // Pulls node:http2, for connections that are allowed to speak HTTP/2.
  { importer: /\/undici\//, path: /\/client-h2\.js$/, by: '() => { throw new Error("HTTP/2 is not built in") }' },
  // Forms and streams as bodies; ours are text. 1 ms to compile.
  {
    importer: /\/client-h1\.js$/,
    path: /\/web\/fetch\/body\.js$/,
    by: '{ extractBody() { throw new Error("only text can be sent") } }',
  },
  // 2 ms for one class, which no body of ours is of, and for a default, which is this.
  {
    importer: /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/,
    path: /^node:http$/,
    by: '{ maxHeaderSize: 16384 }',
  },
  // 1 ms; undici calls it as a function only.
  {
    importer: /\/undici\//,
    path: /^node:assert$/,
    by: '(holds, message = "an assertion of undici does not hold") => { if (!holds) throw new Error(message) }',
  },
  // Names of headers in a tree, and a record of them, for servers of many requests: 0.5 ms with bun. Any other is looked up
  // in vain, and put into lower case.
  { importer: /\/undici\//, path: /\/tree$/, by: '{ tree: { lookup() {} } }' },
  { importer: /\/undici\//, path: /^\.\/constants$/, by: '{ headerNameLowerCasedRecord: { __proto__: null } }' },
  // Objects as queries; ours are in the path.
  { importer: /\/undici\//, path: /^node:querystring$/, by: '{}' },
  // Nobody listens to what undici tells of itself.
  {
    importer: /\/undici\//,
    path: /\/diagnostics\.js$/,
    by: `{ channels: ${JSON.stringify(Object.fromEntries(Object.keys(channels).map((name) => [name, { hasSubscribers: false }])))} }`,
  },
  { importer: /\/client-h1\.js$/, path: /\/llhttp\/constants\.js$/, by: JSON.stringify(usedConstants) },
  // The parser of HTTP once more, for long streams: 72 KB. undici takes the other where it does not compile.
  { importer: /\/undici\//, path: /\/llhttp_simd-wasm\.js$/, by: 'undefined' },
  // For schemas and migrations, which we give conf none of: 180 KB.
  { importer: /\/conf\//, path: /^ajv\/dist\/2020\.js$/, by: '{}' },
  { importer: /\/conf\//, path: /^ajv-formats$/, by: '{}' },
  { importer: /\/conf\//, path: /^semver$/, by: '{}' },
  // 17 KB of emojis, to measure what output/grid.ts measures instead.
  { importer: /\/cli-table3\//, path: /^string-width$/, by: '() => { throw new Error("grid.ts measures") }' },
  // Both end the process at the first signal, for things that we do ourselves: drafts of conf are removed, and prompts
  // are told of signals.
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
  supported: {
    // Modules of Node too are required: `import()` would first load Node's loader of ES modules.
    'dynamic-import': false,
    // esbuild would create such an expression when it is loaded; a literal that nothing uses is dropped. valibot has one of
    // all emojis: 0.2 ms.
    'regexp-unicode-property-escapes': true,
  },
  metafile: true,
  write: false,
  logLevel: 'error',
  // Nothing in CommonJS stands for `import.meta`.
  // A hoisted file imports its modules, and offers them as CommonJS.
  logOverride: { 'empty-import-meta': 'error', 'commonjs-variable-in-esm': 'silent' },
}

/** For what stands in no trace that is read: packages, and the code cache, whose failures are nobody's. */
const unnamed = { minifyIdentifiers: true }

/**
 * Makes dist/ hold what src/ says, and nothing else; sbom.cdx.json lists the packages in it. The outline of the commands
 * and the man pages are generated before.
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
  const { replace, unmatched } = replacing()
  const bundleFiles = (names, more) =>
    bundle({
      ...options,
      ...more,
      entryPoints: names.map((name) => ({ in: `part:${name}`, out: name })),
      plugins: [replace, parsed, files(contents, { keyOf, namesOf }), lookups(imports, { fileOf, keyOf })],
    })
  const isOwn = (name) => [...contents.get(name)].some((module) => module in imports)
  const names = [...contents.keys()]
  const results = [
    // The names of our functions stay: a trace that --debug shows is read by them.
    await bundleFiles(names.filter(isOwn)),
    await bundleFiles(
      names.filter((name) => !isOwn(name)),
      unnamed,
    ),
  ]
  const dead = unmatched()
  if (dead.length > 0) throw new Error(`nothing imports what build.mjs replaces: ${dead.join(', ')}`)
  const [own, others] = results.map(textsOf)
  const texts = new Map([...own.map(uncopied), ...others].map(lookedUp))
  texts.set('main.js', texts.get('main.js').padEnd(apartFrom))
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  texts.set('library.d.ts', types)
  texts.set('library.d.mts', "export * from './library.js'\n")
  texts.set('library.mjs', "import library from './library.js'\n\nexport const { openAccount, Problem } = library\n")
  texts.set('THIRD-PARTY-LICENSES', await licences(root, inputs))
  for (const [name, text] of textsOf(await bundle({ ...options, ...unnamed, entryPoints: [writer] })))
    texts.set(name, text)
  // Written last: a run that still sees old files must not keep them as those of this build.
  const [[name, text]] = textsOf(
    await bundle({ ...options, ...unnamed, entryPoints: [loader], define: { BUILD: hashOf(texts) } }),
  )
  await writeAll(dist, texts.set(name, text))
  await writeIfChanged(join(root, 'sbom.cdx.json'), await billOfMaterials(root, inputs))
}

const textsOf = ({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])

/**
 * What one file offers to another is used as it is. esbuild copies it twice on the way, key by key, each as a getter of a
 * getter: 1 ms of a list, and what is called for each record goes through both. The process is imported as a whole: to copy
 * it makes its streams on bun, which opens stdin, 2 ms of a list. So are bytes, which have a key each.
 */
const copying = [
  [
    '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod)',
    '__toCommonJS=mod=>mod.__esModule?mod:__defProp(mod,"__esModule",{value:!0})',
  ],
  [
    '__toESM=(mod,isNodeMode,target)=>(',
    '__toESM=(mod,isNodeMode,target)=>mod&&mod.__esModule?mod:mod===process||ArrayBuffer.isView(mod)?{default:mod}:(',
  ],
]

function uncopied([name, text]) {
  const changed = copying.reduce((before, [helper, instead]) => before.replace(helper, () => instead), text)
  for (const [helper, instead] of copying) {
    const called = helper.slice(0, helper.indexOf('='))
    if (changed.includes(`${called}(`) && !changed.includes(instead)) throw new Error(`${called} of ${name} is another`)
  }
  return [name, changed]
}

/** Turns `require("./main.js#m1")`, as `lookups` names what another file offers, into `require("./main.js").m1`. */
function lookedUp([name, text]) {
  return [name, text.replace(/(require\("\.\/[^"#]+)#(\w+)"\)/g, '$1").$2')]
}

/** As a literal. */
function hashOf(texts) {
  const hash = createHash('sha256')
  for (const part of texts) hash.update(JSON.stringify(part))
  return JSON.stringify(hash.digest('hex').slice(0, 16))
}

/** What each of our modules imports: modules as paths below the root, packages by name, nothing of Node. */
async function readImports() {
  const { metafile } = await bundle({ ...options, entryPoints: [entry, library], packages: 'external' })
  const modules = Object.entries(metafile.inputs).filter(([path]) => path.startsWith('src/'))
  return Object.fromEntries(
    modules.map(([path, { imports }]) => [
      path,
      imports
        .filter(
          ({ path }) => path.startsWith('src/') || !(isBuiltin(path) || within.has(path) || path.includes('.json')),
        )
        .map(({ path, kind, original = path }) => ({ path, original, lazy: kind === 'dynamic-import' })),
    ]),
  )
}

/** Returns what each of these modules exports, by name. */
async function readNames(modules) {
  const { metafile } = await bundle({ ...options, format: 'esm', bundle: false, entryPoints: modules })
  const names = new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]))
  return (module) => names.get(module)
}

/** A hoisted file loads what it needs at once, so that what it needs is in the table. */
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
 * Says in which file a module is:
 *
 * - `main`: what every start needs
 * - `commands`: what several groups need, and lists of volumes
 * - `list-volumes`: what only that list needs; `table`: what only tables need; `request`: what only sending something needs
 * - `catalogue`: what the sandbox shares with several groups besides
 * - `verbs`: what several groups need, and other commands on volumes
 * - `reads`: what several groups need, and commands of theirs that list or show objects
 * - `changes`: what else several groups need
 * - `commands-ips`: what only that group of the root needs; `changes-ips`: what only its commands need that change something
 *
 * Any other module is in the file of its folder, or in one of `apart`. A package is a file of its own; what is taken from
 * it by its path shares one, and so do the packages of a scope.
 */
function filesOf(imports) {
  const fileOf = new Map()
  const put = (file, modules) => {
    for (const module of modules) if (!fileOf.has(module)) fileOf.set(module, file)
  }
  const groups = groupsOf(imports)
  const needs = [...groups.values(), request].map((roots) => loadedBy(roots, imports))
  const isShared = (module) => needs.filter((modules) => modules.has(module)).length > 1
  const shared = new Set(needs.flatMap((modules) => [...modules]).filter(isShared))
  const putShared = (file, roots) => {
    put(
      file,
      [...loadedBy(roots, imports)].filter((module) => shared.has(module)),
    )
  }
  put('main', loadedBy([entry], imports))
  // Scripts start lists more than anything else: what only other commands share is not compiled with them.
  putShared('commands', [...volumes, ...table, ...request])
  const forSandbox = loadedBy(sandbox, imports)
  put(
    'catalogue',
    needs.flatMap((modules) => [...modules].filter((module) => forSandbox.has(module))),
  )
  putShared('verbs', groups.get('volumes'))
  putShared(
    'reads',
    [...groups.values()].flat().filter((root) => isReading(root, imports)),
  )
  put('changes', shared)
  put('list-volumes', loadedBy(volumes, imports))
  put('table', loadedBy(table, imports))
  for (const [group, roots] of groups) {
    const unchanging = roots.filter((root) => !isChanging(root, imports))
    put(group === 'volumes' ? 'verbs' : `commands-${group}`, loadedBy(unchanging, imports))
    put(`changes-${group}`, loadedBy(roots, imports))
  }
  put('request', loadedBy(request, imports))
  return (path) => {
    if (fileOf.has(path)) return fileOf.get(path)
    if (path in imports) return apart.find(({ modules }) => modules.test(path))?.file ?? path.split(/[/.]/)[1]
    const [, scope, name, inner] = /^(@)?([^/]+)(\/)?/.exec(path)
    return scope || inner ? `${name}-parts` : name
  }
}

/** The modules of each group of the root: its own and those of its commands, each loaded when it is typed. */
function groupsOf(imports) {
  const lazyOf = (module) => imports[module].filter(({ lazy }) => lazy).map(({ path }) => path)
  const typed = (module) => {
    const below = `${dirname(module)}/`
    const inner = basename(module) === 'index.ts' ? lazyOf(module).filter((path) => path.startsWith(below)) : []
    return [module, ...inner.flatMap(typed)]
  }
  return new Map(lazyOf('src/program.ts').map((root) => [root.split(/[/.]/)[2], typed(root)]))
}

function isChanging(root, imports) {
  const modules = loadedBy([root], imports)
  return changing.some((module) => modules.has(module))
}

/** A group itself, and what shows its one object, load nothing that tells them. */
function isReading(root, imports) {
  if (isChanging(root, imports)) return false
  const modules = loadedBy([root], imports)
  return ['index.ts', 'view.ts'].includes(basename(root)) || reading.some((module) => modules.has(module))
}

/** These modules and those of ours that come with them. */
function loadedBy(modules, imports) {
  const loaded = new Set(modules)
  for (const module of loaded) {
    for (const { path, lazy } of imports[module]) if (!lazy && path in imports) loaded.add(path)
  }
  return loaded
}

/** A hoisted file looks its own modules up, too, when they are imported late: esbuild would put each into a function. */
const isLookup = (file, { lazy, from }) => file !== from || (lazy && file in hoisted)

/** The modules that each file offers. */
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

/** What a module is called where one file offers it to another: short, since each lookup says it three times. */
function keysOf(contents) {
  const paths = [...new Set([...contents.values()].flatMap((modules) => [...modules]))].sort()
  const keys = new Map(paths.map((path, index) => [path, `m${index.toString(36)}`]))
  return (path) => keys.get(path)
}

/** `part:NAME` is a module that offers the contents of a file by their keys; `main` also offers what bin/ calls. */
function files(contents, names) {
  return {
    name: 'files',
    setup(build) {
      build.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }))
      build.onLoad({ filter: /.*/, namespace: 'part' }, ({ path: name }) => {
        if (name === 'library') return { contents: `module.exports = ${required(library)}`, resolveDir: root }
        const offered = [...contents.get(name)].sort()
        const text = name in hoisted ? hoistedPart(name, offered, names) : lazyPart(offered, names)
        return { contents: text, resolveDir: root }
      })
    },
  }
}

/** Evaluates each module when it is first looked up. */
function lazyPart(offered, { keyOf }) {
  return `module.exports = { ${offered.map((path) => `get ${keyOf(path)}() { return ${required(path)} },`).join('\n')} }`
}

/** Evaluates all modules at once. What they export is copied, as nothing of it changes later. */
function hoistedPart(name, offered, { keyOf, namesOf }) {
  const lines = offered.map((path) => {
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

/** Turns what our modules import from another file into a lookup there. */
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

/** JSON as a text to parse, which takes a tenth of what V8 does for the same object written as source. */
const parsed = {
  name: 'parsed',
  setup(build) {
    build.onLoad({ filter: /\/build\/outline\.json$/ }, async ({ path }) => ({
      contents: `export default JSON.parse(${JSON.stringify(await readFile(path, 'utf8'))})`,
    }))
  },
}

/** `unmatched` tells the paths that were looked for in vain: a package may have moved what we leave out of it. */
function replacing() {
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

/** A file that did not change is left alone, and the others appear whole: what runs meanwhile is not disturbed. */
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

// What is wrong with the sources has been printed by the bundler.
if (process.argv[1] === import.meta.filename) {
  await build().catch((error) => {
    if (!error.errors) console.error(error)
    process.exitCode = 1
  })
}
