/** Completes programs as editors do, with the language server of TypeScript. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Completion {
  label: string
  /** Comment of the completed name. */
  documentation: string | undefined
}

interface Message {
  id?: number
  method?: string
  result?: unknown
  error?: { message: string }
}

interface Item {
  label: string
  documentation?: string | { value: string }
}

/** Place of the cursor in a program. */
export const cursor = '/*cursor*/'

const server = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

/** Returns what an editor offers at each cursor of a TypeScript program in a folder. */
export async function completions(program: string, folder: string): Promise<Completion[][]> {
  const child = spawn(process.execPath, [server, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const { call, notify } = connected(child.stdin, child.stdout)
  try {
    const uri = pathToFileURL(join(folder, 'program.mts')).href
    await call('initialize', { processId: null, rootUri: pathToFileURL(folder).href, capabilities })
    notify('initialized', {})
    const textDocument = { uri, languageId: 'typescript', version: 1, text: program }
    notify('textDocument/didOpen', { textDocument })
    const answers: Completion[][] = []
    for (const [index] of program.split(cursor).slice(1).entries()) {
      const before = program
        .split(cursor)
        .slice(0, index + 1)
        .join(cursor)
      const lines = before.split('\n')
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
      const { items } = await call<{ items: Item[] }>('textDocument/completion', { textDocument: { uri }, position })
      const resolved = await Promise.all(items.map((item) => call<Item>('completionItem/resolve', item)))
      answers.push(resolved.map(({ label, documentation }) => ({ label, documentation: textOf(documentation) })))
    }
    return answers
  } finally {
    child.kill()
  }
}

const capabilities = {
  textDocument: { completion: { completionItem: { resolveSupport: { properties: ['documentation'] } } } },
}

const textOf = (documentation: Item['documentation']) =>
  typeof documentation === 'object' ? documentation.value : documentation

/** Speaks the Language Server Protocol: JSON-RPC, with a header for the length of each message. */
function connected(input: NodeJS.WritableStream, output: NodeJS.ReadableStream) {
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let received = Buffer.alloc(0)
  output.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (let end = endOf(received); end !== undefined; end = endOf(received)) {
      const message: Message = JSON.parse(received.toString('utf8', received.indexOf('\r\n\r\n') + 4, end))
      received = received.subarray(end)
      // The server asks for settings; there are none.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: [] })
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  return {
    notify: (method: string, params: object) => send({ method, params }),
    call: <T>(method: string, params: object) =>
      new Promise<T>((resolve, reject) => {
        const id = waiting.size + 1
        waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as T)))
        send({ id, method, params })
      }),
  }
}

/** Returns the place after the first message; undefined if it is not complete. */
function endOf(received: Buffer): number | undefined {
  const head = received.indexOf('\r\n\r\n')
  const [, length] = /Content-Length: (\d+)/i.exec(received.toString('latin1', 0, Math.max(head, 0))) ?? []
  const end = head + 4 + Number(length)
  return length === undefined || end > received.length ? undefined : end
}
