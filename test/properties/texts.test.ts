/** SSH keys, shell words, tokens and proxies (RFC 4251, POSIX 2.2; curl's NO_PROXY; gaps.md, SSH key types). */

import { parseToken } from '../../src/config/token'
import { proxyFor } from '../../src/http/proxy'
import { sshKeyFault } from '../../src/rules/ssh-keys'
import { shellWord } from '../../src/rules/texts'
import fc from '../support/fast-check'
import { laterProperty, nearly, property, textOf } from '../support/property'
import { sshKeyTypes } from '../support/ssh-key-types'
import { orUndefined } from './or-undefined'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bytes of a text in base64, six bits at a time. */
function slowBase64(text: string): number[] {
  const bits = [...text.replace(/={1,2}$/, '')]
    .map((char) => alphabet.indexOf(char).toString(2).padStart(6, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

/** Key data: the length of a type, the type, and the rest. */
const dataOf = (type: string, length: number, rest: Uint8Array) =>
  Buffer.concat([Buffer.from([0, 0, 0, length]), Buffer.from(type), rest]).toString('base64')
const key = fc
  .tuple(
    fc.constantFrom(...sshKeyTypes, 'ssh-foo'),
    fc.constantFrom(0, 0, 0, 1),
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc.constantFrom('', ' me', ' a b'),
  )
  .map(([type, off, rest, comment]) => `${type} ${dataOf(type, type.length + off, rest)}${comment}`)

property('a public key is one line of a known type, whose data begins with the same type', {
  of: nearly(key, ' ', '\n', '=', 'A', '-'),
  ours: (text) => (sshKeyFault(text) === undefined ? true : undefined),
  expected(text) {
    const [type = '', data = ''] = text.split(' ')
    if (text.includes('\n') || !sshKeyTypes.includes(type) || !/^[^=]+={0,2}$/.test(data)) return undefined
    const characters = [...data.replace(/={0,2}$/, '')]
    if (!characters.every((char) => alphabet.includes(char))) return undefined
    const [a = 1, b = 0, c = 0, length = 0, ...rest] = slowBase64(data)
    const name = String.fromCharCode(...rest.slice(0, length))
    return (a + b + c === 0 && name === type && rest.length > length) || undefined
  },
})

/** Splits a line into words like a shell: quotes, backslashes, blanks. */
function shellWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (char === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return undefined
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (char === '"') {
      const end = line.indexOf('"', at + 1)
      const quoted = line.slice(at + 1, end)
      if (end < 0 || /[$`\\!]/.test(quoted)) return undefined
      word = (word ?? '') + quoted
      at = end
    } else if (char === '\\') {
      at += 1
      word = (word ?? '') + line.charAt(at)
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|&;<>()$`"*?[\]#~!{}^]/.test(char)) return undefined
    else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}

property('a quoted text is parsed by a shell as one word with the same text', {
  of: fc.tuple(
    fc.oneof(textOf("'", '"', '\\', '$(x)', ' ', '\n', 'a', ';', '*', '#', '~', '!', 'ä'), fc.string()),
    fc.string(),
  ),
  ours: (texts) => shellWords(texts.map(shellWord).join(' ')),
  expected: (texts) => [...texts],
  total: true,
})

property('a token has letters, digits and -._~+/ with = at its end, and a final newline is ignored', {
  of: nearly(fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,12}={0,2}(\r?\n)?$/), ' ', '=', '\n', 'ä', '"'),
  ours: (text) => orUndefined(() => parseToken(text)),
  expected(text) {
    const line = text.endsWith('\r\n') ? text.slice(0, -2) : text.endsWith('\n') ? text.slice(0, -1) : text
    let end = line.length
    while (line.charAt(end - 1) === '=') end -= 1
    const body = [...line.slice(0, end)]
    return body.length > 0 && body.every((char) => `${alphabet}-._~`.includes(char)) ? line : undefined
  },
})

const hosts = ['api.example.net', 'example.net', 'notexample.net', '10.1.2.3', '192.0.2.7', '[2001:db8::1]']
const entries = [
  'example.net',
  '.example.net',
  '*.example.net',
  'example.net:8443',
  'net',
  '10.0.0.0/8',
  '10.1.2.3',
  '192.0.2.7:8443',
  '2001:db8::/32',
  '[2001:db8::1]:8443',
  '*',
  'other',
  '',
  '10.0.0.0/33',
]

laterProperty('a host that NO_PROXY names, by name, address or network, with or without a port, has no proxy', {
  of: fc.tuple(
    fc.constantFrom(...hosts),
    fc.constantFrom('', ':8443'),
    fc.array(fc.constantFrom(...entries), { maxLength: 3 }),
    fc.constantFrom(',', ' ', ', '),
  ),
  async ours([host, port, list, between]) {
    const proxy = await proxyFor(new URL(`https://${host}${port}/v4`), {
      HTTPS_PROXY: 'http://proxy.example.net:3128',
      NO_PROXY: list.join(between),
    })
    return proxy === undefined
  },
  expected: ([host, port, list]) =>
    list.some((entry) => {
      const isPort = port === ':8443'
      const isName = host === 'api.example.net' || host === 'example.net'
      const matches: Readonly<Record<string, boolean>> = {
        '*': true,
        'example.net': isName,
        '.example.net': isName,
        '*.example.net': isName,
        'example.net:8443': isName && isPort,
        net: isName || host === 'notexample.net',
        '10.0.0.0/8': host === '10.1.2.3',
        '10.1.2.3': host === '10.1.2.3',
        '192.0.2.7:8443': host === '192.0.2.7' && isPort,
        '2001:db8::/32': host === '[2001:db8::1]',
        '[2001:db8::1]:8443': host === '[2001:db8::1]' && isPort,
      }
      return matches[entry] === true
    }),
})
