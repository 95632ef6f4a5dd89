/** A base URL without the version: the API is looked for below it, but only after failures that may come of that. */
import { expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../src/errors'
import { orWrongAddress } from '../../src/http/wrong-address'

const bare = 'https://api.example.net'

/** Tells whether the API was looked for, and what the failure became where it is there. */
async function afterFailure(code: ErrorCode, baseUrl = bare) {
  let looks = 0
  const look = async () => {
    looks += 1
    return { data: [], page: 1, pages: 1, results: 0 }
  }
  const error = new Problem(code, 'it failed')
  const told = await orWrongAddress(error, { baseUrl, looked: new Map(), look })
  return { looks, isSame: told === error }
}

test.for<ErrorCode>(['not_found', 'not_the_api', 'refused'])('%s may come of the address', async (code) => {
  expect(await afterFailure(code)).toEqual({ looks: 1, isSame: false })
  expect(await afterFailure(code, `${bare}/v4`)).toEqual({ looks: 0, isSame: true })
})

test.for<ErrorCode>(['unavailable', 'rate_limited', 'outcome_unknown', 'usage', 'too_large'])(
  '%s says nothing about the address',
  async (code) => {
    expect(await afterFailure(code)).toEqual({ looks: 0, isSame: true })
  },
)
