/** Search for the API below a base URL without a version, after failures that this can cause. */
import { expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../src/errors'
import { detectWrongAddress } from '../../src/http/wrong-address'

const bare = 'https://api.example.net'

/** Returns the number of searches for the API, which exists, and whether the failure stayed the same. */
async function afterFailure(code: ErrorCode, baseUrl = bare) {
  let searches = 0
  const look = async () => {
    searches += 1
    return { data: [], page: 1, pages: 1, results: 0 }
  }
  const error = new Problem(code, 'it failed')
  const result = await detectWrongAddress(error, { baseUrl, looked: new Map(), look })
  return { searches, isSame: result === error }
}

test.for<ErrorCode>(['not_found', 'not_the_api', 'refused'])('A wrong address can cause %s', async (code) => {
  expect(await afterFailure(code)).toEqual({ searches: 1, isSame: false })
  expect(await afterFailure(code, `${bare}/v4`)).toEqual({ searches: 0, isSame: true })
})

test.for<ErrorCode>(['unavailable', 'rate_limited', 'outcome_unknown', 'usage', 'too_large'])(
  'A wrong address cannot cause %s',
  async (code) => {
    expect(await afterFailure(code)).toEqual({ searches: 0, isSame: true })
  },
)
