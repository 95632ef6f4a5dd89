/** What `auth login` asks, which answers it takes, and what it proves before anything is kept. */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { signIn } from '../../src/flows/sign-in'
import { type Answer, talk } from './talk'

type Known = Parameters<typeof signIn>[0]

const baseUrl = 'https://api.example.net/v4'
const explained = `The base URL is the address of the API with its version, such as ${baseUrl}`
const unknown = 'the service does not know the token'
const elsewhere = 'https://www.example.net'
const guarded = 'https://guarded.example.net'

/** The API is at every address but one, knows ada's token, and no other. */
async function walk(known: Known, answers: Answer[] | undefined, taken: string[] = []) {
  const one = talk(...(answers ?? []))
  const proved: string[] = []
  const end = await signIn(known, {
    ask: answers && one.ask,
    say: one.say,
    taken: new Set(taken),
    async expectApi(address) {
      if (address === elsewhere) throw new Problem('not_the_api', 'that is not the API', { hint: 'Check the address' })
      if (address === guarded) throw new Problem('local', 'the certificates cannot be read')
    },
    async whoAmI(...asked) {
      proved.push(asked.join(' '))
      if (asked[1] === 'away') throw new Problem('unavailable', 'the service is away')
      if (asked[1] !== 'adas') throw new Problem('not_signed_in', unknown)
      return 'ada'
    },
  }).catch((error) => error)
  return { end, proved, ...one }
}

describe('what is not given is asked for', () => {
  test('address, token, and what the context is called', async () => {
    const { end, lines, proved } = await walk({}, [`${baseUrl}/`, 'adas', 'prod'])
    expect(end).toEqual({ baseUrl, token: 'adas', user: 'ada', name: 'prod' })
    expect(lines).toEqual([explained, '? Base URL', '? Token ***', '? Name of the context (ada)'])
    expect(proved).toEqual([`${baseUrl} adas`])
  })

  test('a name that no other context has is proposed', async () => {
    const { end, lines } = await walk({ baseUrl }, ['adas', 'ada-3'], ['ada', 'ada-2'])
    expect({ name: end.name, last: lines.at(-1) }).toEqual({ name: 'ada-3', last: '? Name of the context (ada-3)' })
  })

  test('again where it can be none', async () => {
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

  test('again where the service does not know the token, and not where it fails', async () => {
    const { end, lines } = await walk({ baseUrl, name: 'prod' }, ['bobs', 'adas'])
    expect(lines).toEqual(['? Token ***', unknown, '? Token ***'])
    expect(end).toMatchObject({ user: 'ada' })
    expect(await walk({ baseUrl, name: 'prod' }, ['away', 'adas'])).toMatchObject({
      end: { code: 'unavailable' },
      lines: ['? Token ***'],
    })
  })
})

describe('a token is asked for only once its address has proved to be that of the API', () => {
  test('which is asked for again until it is', async () => {
    const { end, lines } = await walk({ name: 'prod' }, [elsewhere, baseUrl, 'adas'])
    expect(lines).toEqual([
      explained,
      '? Base URL',
      'that is not the API. Check the address',
      '? Base URL',
      '? Token ***',
    ])
    expect(end).toMatchObject({ baseUrl })
  })

  test('and which ends it where asking for another address is no remedy', async () => {
    const { end, lines } = await walk({ name: 'prod' }, [guarded, baseUrl, 'adas'])
    expect({ end, lines }).toMatchObject({ end: { code: 'local' }, lines: [explained, '? Base URL'] })
  })

  test('and which fails where it was given', async () => {
    const { end, lines, proved } = await walk({ baseUrl: elsewhere }, ['adas'])
    expect({ end, lines, proved }).toMatchObject({ end: { code: 'not_the_api' }, lines: [], proved: [] })
  })
})

describe('what is given is not asked for', () => {
  test.for([undefined, []])('where there is a terminal or not: %o', async (answers) => {
    const given = { baseUrl, token: 'adas\n', name: 'prod' }
    const { end, lines } = await walk(given, answers, ['prod'])
    expect({ end, lines }).toEqual({ end: { baseUrl, token: 'adas', user: 'ada', name: 'prod' }, lines: [] })
  })

  test('and a context is called as its user where nobody can be asked', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, undefined, ['ada'])).end).toMatchObject({ name: 'ada' })
  })

  test.for([
    [{ baseUrl: 'here', token: 'adas' }, 'usage', 'the base URL must be'],
    [{ baseUrl, token: '' }, 'usage', 'the token is empty'],
    [{ baseUrl, token: 'bobs' }, 'not_signed_in', unknown],
  ] as const)('and fails where it is wrong: %o', async ([given, code, said]) => {
    const { end } = await walk(given, ['again'])
    expect(end).toMatchObject({ code, message: expect.stringContaining(said) })
  })
})

describe('where nobody can be asked', () => {
  test.for([
    [{}, '--base-url'],
    [{ baseUrl }, '--with-token'],
    // No token will be typed, so the address is not proved.
    [{ baseUrl: elsewhere }, '--with-token'],
  ] as const)('what is not given is a flag that is needed: %o', async ([given, flag]) => {
    expect((await walk(given, undefined)).end).toMatchObject({
      code: 'usage',
      message: `${flag} is required without a terminal`,
      details: { hint: expect.stringContaining('skyctl auth login') },
    })
  })
})

describe('a name that is taken', () => {
  const question = '? Replace the context "prod"? (y/N)'

  test('is replaced after a yes', async () => {
    const { end, lines } = await walk({ baseUrl, token: 'adas' }, ['prod', true], ['prod'])
    expect({ name: end.name, asked: lines.at(-1) }).toEqual({ name: 'prod', asked: question })
  })

  test('is left as it is without', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, ['prod', false], ['prod'])).end).toMatchObject({
      code: 'refused',
      message: 'not signed in: the context is unchanged',
      details: { hint: 'Choose another name with --context' },
    })
  })

  test('is not what another one is', async () => {
    expect((await walk({ baseUrl, token: 'adas' }, ['prod'], ['other'])).end).toMatchObject({ name: 'prod' })
  })
})
