/** Opens pages in a headless Chromium, and reads what a person would see and the browser would complain about. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

export interface Look {
  /** Width of the window in CSS pixels. */
  width: number
  scheme?: 'light' | 'dark'
  media?: 'screen' | 'print'
}

export interface OpenPage {
  /** Addresses that the page requested, but its own. */
  requests: string[]
  /** Messages of the console, uncaught errors, and complaints of the browser, such as violations of the policy. */
  complaints: string[]
  show(look: Look): Promise<void>
  /** Evaluates an expression in the page, although the page itself may run no scripts. */
  evaluate<T>(expression: string): Promise<T>
}

export interface Browser {
  open(file: string): Promise<OpenPage>
  close(): Promise<void>
  /** Ends a browser that does not answer. */
  kill(): void
}

type Params = Record<string, unknown>
type Listener = (method: string, params: Params) => void

/** Connects to the DevTools protocol of a process: messages end with a null byte (https://chromedevtools.github.io). */
class Devtools {
  #last = 0
  #rest = ''
  readonly #waiting = new Map<number, { done(result: Params): void; fail(error: Error): void }>()
  readonly listeners = new Set<Listener>()

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.setEncoding('utf8')
    output.on('data', (text: string) => {
      const messages = (this.#rest + text).split('\0')
      this.#rest = messages.pop() ?? ''
      for (const message of messages) this.#receive(JSON.parse(message))
    })
  }

  send<T = Params>(method: string, params: Params = {}, sessionId?: string): Promise<T> {
    this.#last += 1
    const id = this.#last
    this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return new Promise((done, fail) => this.#waiting.set(id, { done: (result) => done(result as T), fail }))
  }

  #receive({ id, result, error, method, params }: Received): void {
    if (id === undefined) {
      if (method !== undefined) for (const listener of this.listeners) listener(method, params ?? {})
      return
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.fail(new Error(error.message))
    else waiting?.done(result ?? {})
  }
}

interface Received {
  id?: number
  result?: Params
  error?: { message: string }
  method?: string
  params?: Params
}

export const chromium = 'chromium'

/** Starts Chromium without a network: its proxy is a closed port. */
export async function startChromium(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'skyctl-chromium-'))
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--proxy-server=127.0.0.1:9']
  const child = spawn(chromium, [...options, ...quiet, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const devtools = new Devtools(child.stdio[3] as Writable, child.stdio[4] as Readable)
  return {
    open: (file) => openPage(devtools, pathToFileURL(file).href),
    kill: () => void child.kill('SIGKILL'),
    async close() {
      await devtools.send('Browser.close')
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openPage(devtools: Devtools, url: string): Promise<OpenPage> {
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const send = <T = Params>(method: string, params: Params = {}) => devtools.send<T>(method, params, sessionId)
  const { requests, complaints, loaded } = observed(devtools, url)
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(`${domain}.enable`)
  await send('Page.navigate', { url })
  await loaded
  return {
    requests,
    complaints,
    async show({ width, scheme = 'light', media = 'screen' }) {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height: 844,
        deviceScaleFactor: 1,
        mobile: width < 600,
      })
      await send('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value: scheme }] })
    },
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send<Evaluated>('Runtime.evaluate', {
        expression,
        returnByValue: true,
      })
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result.value as T
    },
  }
}

interface Evaluated {
  result: { value?: unknown }
  exceptionDetails?: object
}

/** Collects the events of a page; `loaded` is fulfilled when it is complete. */
function observed(devtools: Devtools, url: string) {
  const [requests, complaints]: [string[], string[]] = [[], []]
  const loaded = new Promise<void>((resolve) => {
    devtools.listeners.add((method, params) => {
      const { request } = params as { request?: { url: string } }
      if (method === 'Network.requestWillBeSent' && request && request.url !== url) requests.push(request.url)
      if (/^(Runtime\.(consoleAPICalled|exceptionThrown)|Log\.entryAdded)$/.test(method))
        complaints.push(JSON.stringify(params))
      if (method === 'Page.loadEventFired') resolve()
    })
  })
  return { requests, complaints, loaded }
}
