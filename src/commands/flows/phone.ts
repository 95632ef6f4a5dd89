/** Verifies a phone number (api.md, Flows in the profile area): the user types a code received within ten minutes. */
import { phone } from '../../catalogue/profile/phone'
import { profile } from '../../catalogue/profile/profile'
import { isRefusal, Problem } from '../../errors'
import { afterExitCode, type Country, countriesWithPhones, readPhoneNumber } from '../../rules/phone-numbers'
import { withoutBlanks } from '../../rules/secrets'
import { codeCheck, type Dialogue } from './dialogue'
import { sentence, withStateInProblem } from './problem-texts'

const validMs = 10 * 60_000
const hint = 'Go on with: skyctl profile phone setup'

interface PhoneSetup {
  /** Country code to offer first. */
  guess: string | undefined
  /** Hint where to find a code that no phone receives. */
  where: string | undefined
}

/** Guides the user until a number is verified, and returns it. */
export async function setUpPhone(dialogue: Dialogue, { guess, where }: PhoneSetup): Promise<Verified> {
  const { ask, client } = dialogue
  const { verified_phone_number: present } = await client.call(profile.view)
  if (present && !(await ask.confirm(`${present} is verified. Remove it and verify another?`))) {
    throw new Problem('refused', 'the verified phone number is unchanged')
  }
  const country = await askCountry(dialogue, guess)
  const number = await askNumber(dialogue, country)
  // api.md requires removing the old number first. It is kept until a new one is ready to verify.
  if (present) await dialogue.send(phone.delete)
  const state = present ? 'the earlier number is removed, and no other is verified' : 'no number is verified'
  return withStateInProblem({ state, hint }, async () => {
    const sent = await sendTo(dialogue, country, number)
    if (where) await dialogue.say(where)
    await verify(dialogue, sent)
    return { country: country.code, number: sent.number() }
  })
}

interface Verified {
  /** Two-letter country code, as for --iso-code. */
  country: string
  number: string
}

async function askCountry({ ask }: Dialogue, guess: string | undefined): Promise<Country> {
  const countries = countriesWithPhones()
  const first = countries.find(({ code }) => code === guess)
  const ordered = first ? [first, ...countries.filter((country) => country !== first)] : countries
  return ask.search('Country (type to search)', (input) =>
    bestMatches(ordered, input.trim().toLowerCase()).map((country) => ({
      name: `${country.name} (${country.code}, +${country.callingCode})`,
      value: country,
    })),
  )
}

/** Returns the matching countries, the best first, because Enter selects it: `us` is in Australia, too. */
function bestMatches(countries: readonly Country[], input: string): Country[] {
  const ranks = new Map(countries.map((country) => [country, rankOf(country, input)]))
  const ranked = countries.filter((country) => ranks.get(country) !== undefined)
  return ranked.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
}

/** Ranks a country by its code, by its calling code with or without plus, or by its name; undefined if none fits. */
function rankOf({ name, code, callingCode }: Country, input: string): number | undefined {
  const isNumber = /\d/.test(input)
  const label = isNumber ? callingCode : name.toLowerCase()
  const text = isNumber ? input.replace('+', '') : input
  if (label === text || code.toLowerCase() === text) return 0
  if (label.startsWith(text)) return 1
  return !isNumber && label.includes(text) ? 2 : undefined
}

async function askNumber({ ask, say }: Dialogue, { code, name, callingCode }: Country): Promise<string> {
  for (;;) {
    const text = await ask.text(`Phone number in ${name} (+${callingCode})`)
    const read = await readPhoneNumber(text, code)
    if ('fault' in read) await say(`That number ${read.fault} for ${name}.`)
    else if (read.foreignCode === undefined) return read.number
    else {
      const likely = (await afterExitCode(text, code)) ?? read.number
      const question =
        likely === read.number
          ? `${likely} is a number of +${read.foreignCode}, not of ${name}. Use it?`
          : `Is it ${likely}?`
      if (await ask.confirm(question)) return likely
    }
  }
}

interface Sent {
  /** Returns the number that the last code was sent to. */
  number(): string
  /** Sends the code again, or a new one after it has expired. */
  again(): Promise<void>
  /** Returns the remaining validity of the code in milliseconds. */
  left(): number
}

/** Sends a code. If the service rejects the number, asks for another. */
async function sendTo(dialogue: Dialogue, country: Country, first: string): Promise<Sent> {
  const { clock, say } = dialogue
  let phone_number = first
  let until = 0
  const send = async () => {
    await dialogue.send(phone.send, { iso_code: country.code, phone_number })
    const left = until - clock.monotonic()
    // Within ten minutes the service resends the same code, without extending its validity (api.md).
    if (left > 0) return say(`The same code was sent again. It is valid for another ${minutes(left)}.`)
    until = clock.monotonic() + validMs
    await say('A code was sent. It is valid for 10 minutes.')
  }
  for (;;) {
    try {
      await send()
      return { number: () => phone_number, again: send, left: () => until - clock.monotonic() }
    } catch (error) {
      if (!isRefusal(error)) throw error
      await say(`${sentence(error)}.`)
      phone_number = await askNumber(dialogue, country)
    }
  }
}

async function verify({ ask, send, say }: Dialogue, { again, left }: Sent): Promise<void> {
  for (;;) {
    const input = await ask.code('Code from the message', {
      left: () => timeLeft(left()),
      check: codeCheck,
    })
    const otp_code = withoutBlanks(input)
    if (otp_code === '') {
      await again()
      continue
    }
    try {
      await send(phone.verify, { otp_code })
      return
    } catch (error) {
      if (!isRefusal(error)) throw error
      await say(`${sentence(error)}. Try again, or press Enter alone for another message.`)
    }
  }
}

function timeLeft(milliseconds: number): string {
  return milliseconds <= 0 ? 'expired; Enter sends another' : `${minutes(milliseconds)} left; Enter resends`
}

/** Formats a duration as minutes and seconds: `9:41`. */
function minutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
