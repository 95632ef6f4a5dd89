/** Questions and accepted answers of `auth login`, and its checks before it saves anything. */
import { describe, expect, test } from 'vitest'
import { signIn } from '../../src/commands/flows/sign-in'
import { Problem } from '../../src/errors'
import { type Answer, talk } from './talk'

type Options = Parameters<typeof signIn>[0]

const baseUrl = 'https://api.example.net/v4'
const explanation = `The base URL is the address of the API with its version, such as ${baseUrl}`
const rejected = 'the service does not know the token'
const otherService = 'https://www.example.net'
const withoutCertificates = 'https://certificates.example.net'

/** Runs a sign-in at a service with one user, ada, and one token; `otherService` is not the API. */
async function walk(options: Options, answers: Answer[] | undefined, taken: string[] = []) {
  const one = talk(...(answers ?? []))
  const checked: string[] = []
  const end = await signIn(options, {
    ask: answers && one.ask,
    say: one.say,
    taken: new Set(taken),
    async expectApi(address) {
      if (address === otherService)
        throw new Problem('not_the_api', 'that is not the API', { hint: 'Check the address' })
      if (address === withoutCertificates) throw new Problem('local', 'the certificates cannot be read')
    },
    async whoAmI(...credentials) {
      checked.push(credentials.join(' '))
      if (credentials[1] === 'away') throw new Problem('unavailable', 'the service is away')
      if (credentials[1] !== 'adas') throw new Problem('not_signed_in', rejected)
      return 'ada'
    },
  }).catch((error) => error)
  return { end, checked, ...one }
}

describe('A value without a flag is prompted for', () => {
  test('address, token and context name', async () => {
    const { end, lines, checked } = await walk({}, [`${baseUrl}/`, 'adas', 'prod'])
    expect(end).toEqual({ baseUrl, token: 'adas', user: 'ada', name: 'prod' })
    expect(lines).toEqual([explanation, '? Base URL', '? Token ***', '? Name of the context (ada)'])
    expect(checked).toEqual([`${baseUrl} adas`])
  })

  test('with an unused context name as the default', async () => {
    const { end, lines } = await walk({ baseUrl }, ['adas', 'ada-3'], ['ada', 'ada-2'])
    expect({ name: end.name, last: lines.at(-1) }).toEqual({ name: 'ada-3', last: '? Name of the context (ada-3)' })
  })

  test('again if it is invalid', async () => {
    const { end, lines } = await walk({}, ['here', baseUrl, '', 'ada s', 'adas', '', ' \t', 'prod'])
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> the base URL must be an absolute URL such as https://api.example.net/v4',
      '> the token is empty',
      '> the token holds a character that no token has (letters, digits and -._~+/= only)',
      '> a context needs a name',
      '> a context needs a name',
    ])
    expect(end).toMatchObject({ name: 'prod' })
  })

  test('again if the token is rejected, but not after another error', async () => {
    const { end, lines } = await walk({ baseUrl, name: 'prod' }, ['bobs', 'adas'])
    expect(lines).toEqual(['? Token ***', rejected, '? Token ***'])
    expect(end).toMatchObject({ user: 'ada' })
    expect(await walk({ baseUrl, name: 'prod' }, ['away', 'adas'])).toMatchObject({
      end: { code: 'unavailable' },
      lines: ['? Token ***'],
    })
  })
})

describe('A token is prompted for only after its address was checked', () => {
  test('which is prompted for again until it is the API', async () => {
    const { end, lines } = await walk({ name: 'prod' }, [otherService, baseUrl, 'adas'])
    expect(lines).toEqual([
      explanation,
      '? Base URL',
      'that is not the API. Check the address',
      '? Base URL',
      '? Token ***',
    ])
    expect(end).toMatchObject({ baseUrl })
  })

  test('and which ends it where asking for another address is no remedy', async () => {
    const { end, lines } = await walk({ name: 'prod' }, [withoutCertificates, baseUrl, 'adas'])
    expect({ end, lines }).toMatchObject({ end: { code: 'local' }, lines: [explanation, '? Base URL'] })
  })

  test('which fails if it came from a flag', async () => {
    const { end, lines, checked } = await walk({ baseUrl: otherService }, ['adas'])
    expect({ end, lines, checked }).toMatchObject({ end: { code: 'not_the_api' }, lines: [], checked: [] })
  })
})

describe('A value from a flag is not prompted for', () => {
  test.for([undefined, []])('with or without a terminal: %o', async (answers) => {
    const options = { baseUrl, token: 'adas\n', name: 'prod' }
    const { end, lines } = await walk(options, answers, ['prod'])
    expect({ end, lines }).toEqual({ end: { baseUrl, token: 'adas', user: 'ada', name: 'prod' }, lines: [] })
  })

  test('and without a terminal a context is named like its user', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, undefined, ['ada'])).end).toMatchObject({ name: 'ada' })
  })

  test.for([
    [{ baseUrl: 'here', token: 'adas' }, 'usage', 'the base URL must be'],
    [{ baseUrl, token: '' }, 'usage', 'the token is empty'],
    [{ baseUrl, token: 'bobs' }, 'not_signed_in', rejected],
  ] as const)('and fails if it is invalid: %o', async ([options, code, message]) => {
    const { end } = await walk(options, ['again'])
    expect(end).toMatchObject({ code, message: expect.stringContaining(message) })
  })
})

describe('Without a terminal', () => {
  test.for([
    [{}, '--base-url'],
    [{ baseUrl }, '--with-token'],
    // No token will be entered, so the address is not checked.
    [{ baseUrl: otherService }, '--with-token'],
  ] as const)('a missing value is a missing flag: %o', async ([options, flag]) => {
    expect((await walk(options, undefined)).end).toMatchObject({
      code: 'usage',
      message: `${flag} is required without a terminal`,
      details: { hint: expect.stringContaining('skyctl auth login') },
    })
  })
})

describe('A context name in use', () => {
  const question = '? Replace the context "prod"? (y/N)'

  test('is replaced after a yes', async () => {
    const { end, lines } = await walk({ baseUrl, token: 'adas' }, ['prod', true], ['prod'])
    expect({ name: end.name, last: lines.at(-1) }).toEqual({ name: 'prod', last: question })
  })

  test('is unchanged without a yes', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, ['prod', false], ['prod'])).end).toMatchObject({
      code: 'refused',
      message: 'not signed in: the context is unchanged',
      details: { hint: 'Choose another name with --context' },
    })
  })

  test('is irrelevant for other names', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, ['prod'], ['other'])).end).toMatchObject({ name: 'prod' })
  })
})
