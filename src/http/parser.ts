/** Says how undici's parser is compiled, which is WebAssembly. undici itself would do it with the first connection and answer. */
import { versions } from 'node:process'

/** The parts of undici's parser of one connection that skyctl replaces. */
export interface Parser {
  onHeadersComplete(status: number, ...more: readonly unknown[]): number
  execute(bytes: Buffer): void
}

export interface ParserCompiler {
  /** Calls `connected`, in which undici constructs the module of its first parser. */
  connect(connected: () => void): void
  /** Prepares the parser of a new connection. */
  prepare(parser: Parser): void
}

/** Index of a function that no module has. */
const noFunction = 1_000_000

/**
 * Returns a compiler that lets V8 compile the parser once, as little of it as answers need. V8 would compile it again for
 * speed, on another thread: after one page on Node 20, which waits for that at exit (90 of 160 ms of a list), and after
 * several on later versions. For a moment that takes 36 MB. V8 compiles a function when it is first called, and counts its
 * calls only if a flag says so at that time. Validating a function only then takes half a MB less for one page. The
 * flags are reset at once: V8 accepts a code cache under the same flags only.
 */
export async function parserCompiler(): Promise<ParserCompiler> {
  if (bunParser) return { connect: bunParser.use, prepare: () => {} }
  const { setFlagsFromString } = await import('node:v8')
  let isCompiled = false
  return {
    connect(connected) {
      setFlagsFromString('--wasm-lazy-validation')
      connected()
      setFlagsFromString('--no-wasm-lazy-validation')
    },
    prepare(parser) {
      if (isCompiled) return
      const execute = parser.execute.bind(parser)
      parser.execute = (bytes) => {
        parser.execute = execute
        isCompiled = true
        setFlagsFromString(`--wasm-tier-up-filter=${noFunction}`)
        execute(bytes)
        setFlagsFromString('--wasm-tier-up-filter=-1')
      }
    },
  }
}

/**
 * Bun, which runs executables, has another engine. It compiles the parser on another thread while the first request is
 * prepared and connects: 3 of the 30 ms of a list.
 */
const bunParser = versions.bun === undefined ? undefined : compileInBackground()

function compileInBackground() {
  let module: object | undefined
  const compile = async () => {
    const { default: bytes } = await import('undici/lib/llhttp/llhttp-wasm.js')
    module = await WebAssembly.compile(bytes)
  }
  // undici compiles it where this failed, or is not done yet.
  compile().catch(() => {})
  return {
    /** Runs `connected`, in which undici constructs the module from its bytes. */
    use(connected: () => void) {
      const { Module } = WebAssembly
      WebAssembly.Module = new Proxy(Module, { construct: (own, words) => module ?? Reflect.construct(own, words) })
      connected()
      WebAssembly.Module = Module
    },
  }
}
