/** Says when undici's parser is compiled, which is WebAssembly. undici itself would do it when the first connection is open. */
import { versions } from 'node:process'

/**
 * V8's default of the flag `--wasm-tiering-budget`, in Node 20 and in later versions up to 26 (`node --v8-options`).
 */
const tieringBudget = versions.v8.startsWith('11.') ? 1_800_000 : 13_000_000

/**
 * Returns a function that runs `connected` while V8 does not recompile undici's WebAssembly parser. V8 would do that in
 * the background after first use. Node 20 waits for it at exit: 90 of 160 ms of a list of one page. Later versions do
 * not wait, but it takes 10 of their 80 MB and a fifth of the CPU time of a list of 40 pages. V8 reads the budget when
 * it compiles the module, in the callback of the first connection. The flag is reset at once: V8 accepts a code cache
 * under the same flags only.
 */
export async function parserCompiledOnce(): Promise<(connected: () => void) => void> {
  if (bunParser) return bunParser.use
  const { setFlagsFromString } = await import('node:v8')
  return (connected) => {
    setFlagsFromString('--wasm-tiering-budget=1000000000')
    connected()
    setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`)
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
