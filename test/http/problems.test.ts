/** Problems for unsuccessful and missing answers (interface.md, Errors). */
import { describe, expect, test } from 'vitest'
import { parseHttpDate } from '../../src/http/http-date'
import { failing, lostProblem, type RequestSummary, unknownOutcome } from '../../src/http/problems'
import { errorFromResponse } from '../../src/http/response-errors'
import { isMaintenance, isRepeatable, isUnknown, mayRepeat, pauseAfter, retryAfter } from '../../src/http/retry'

const now = Date.UTC(2026, 5, 1, 12)
const get: RequestSummary = { method: 'GET', path: '/volumes/7?a=b', idempotency: 'safe' }
const post: RequestSummary = { method: 'POST', path: '/volumes', idempotency: 'never' }
const wire = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.alloc(0),
  release() {},
})

const operation = { path: '/volumes/{volumeId}', scopes: ['volumes:read_only'] as readonly string[] }
type Failed = Parameters<typeof errorFromResponse>[0]

function problemFor(
  status: number,
  headers: Record<string, string> = {},
  { errors = [], byTheApi = true, ...more }: Partial<Failed> & Partial<Failed['apiErrors']> = {},
) {
  const problem = errorFromResponse({
    summary: get,
    answer: wire(status, headers),
    apiErrors: { errors, byTheApi },
    operation,
    signedIn: true,
    now,
    ...more,
  })
  const { hint, retryable } = problem.details
  return { code: problem.code, message: problem.message, hint, retryable }
}

describe('A refusal because an object is busy', () => {
  const hint = 'It may be migrating, which ends by itself: try again later'

  test.for([
    ['Compute busy.', 'conflict', hint],
    ['The volume is BUSY', 'conflict', hint],
    ['Label is busybody', 'refused', undefined],
  ] as const)('is a conflict that ends by itself: %s', ([reason, code, expected]) => {
    const refused = problemFor(400, {}, { errors: [{ field: null, reason }] })
    expect(refused).toMatchObject({ code, hint: expected })
  })
})

describe('The code of a refusal', () => {
  test.for([
    ['label', 'Label must be unique among your Cloud Firewalls', 'exists'],
    ['label', 'Must begin with a letter', 'refused'],
    ['tags', 'Must be unique', 'refused'],
    ['size', 'Storage volumes can only be resized up', 'conflict'],
    [null, 'This volume must be detached before it can be deleted.', 'conflict'],
    [null, 'This volume is already attached to compute instance 7', 'conflict'],
    ['compute_id', 'The volume is in us-east, the compute instance in eu-west', 'conflict'],
    ['region', 'Compute instance 9002 is in eu-west, not in us-east', 'conflict'],
    ['id', 'Balancer 1 already has an active firewall: web (2001)', 'conflict'],
    ['size', 'Must be 10-10240', 'refused'],
  ] as const)('follows from its reason: %s: %s', ([field, reason, code]) => {
    expect(problemFor(400, {}, { errors: [{ field, reason }] }).code).toBe(code)
  })
})

describe('A refusal because of missing grants', () => {
  const hint = (more: object) => problemFor(403, {}, { operation: { ...operation, ...more } }).hint

  test('names the required grant', () => {
    expect(hint({ needs: 'the grant add_volumes' })).toMatch(/^The user needs the grant add_volumes\. See its grants: /)
  })

  test('names the users that can never have it', () => {
    expect(hint({ never: 'A proxy user cannot' })).toMatch(/ can grant more\. A proxy user cannot$/)
  })
})

describe('An idempotent change', () => {
  const put: RequestSummary = { method: 'PUT', path: '/volumes/7', idempotency: 'idempotent' }
  const problem = (status: number, lostBefore = false) =>
    errorFromResponse({
      summary: put,
      answer: wire(status),
      apiErrors: { errors: [], byTheApi: true },
      operation,
      lostBefore,
      signedIn: true,
      now,
    })

  test.for([500, 502, 503, 504, 408, 425, 520])('has an unknown outcome after status %i', (status) => {
    expect(problem(status)).toMatchObject({ code: 'outcome_unknown', details: { status } })
  })

  test.for([400, 404, 429])('has failed after status %i', (status) => {
    expect(problem(status).code).not.toBe('outcome_unknown')
  })

  test('has an unknown outcome after a lost answer and a 429', () => {
    expect(problem(429, true)).toMatchObject({ code: 'outcome_unknown', details: { status: 429 } })
  })

  test('has an unknown outcome if it was sent and no answer came', () => {
    const fault = { reason: 'gone', lasting: false } as Parameters<typeof lostProblem>[1]['fault']
    expect(lostProblem(put, { fault, sent: true }).code).toBe('outcome_unknown')
    expect(lostProblem(put, { fault, sent: false }).code).toBe('unavailable')
    expect(lostProblem(get, { fault, sent: true }).code).toBe('unavailable')
  })
})

describe('A token without the required scopes', () => {
  const reason = { errors: [{ field: null, reason: 'Your token is not authorized to use this endpoint.' }] }
  const lacks = (has: string | undefined, accepted: string | undefined, tokenVariable?: string) =>
    problemFor(
      401,
      {
        ...(has !== undefined && { 'x-oauth-scopes': has }),
        ...(accepted !== undefined && { 'x-accepted-oauth-scopes': accepted }),
      },
      { ...reason, tokenVariable },
    )

  test.for<[string | undefined, string | undefined, string, string]>([
    ['ips:read_only', undefined, 'the token lacks the scope volumes:read_only; it has ips:read_only', 'it'],
    [
      'ips:read_only,computes:read_write',
      'a:b',
      'the token lacks the scope a:b; it has ips:read_only computes:read_write',
      'it',
    ],
    ['', 'a:b, c:d', 'the token lacks the scopes a:b and c:d; it has none', 'both'],
    ['x', 'a:b c:d,e:f', 'the token lacks the scopes a:b, c:d and e:f; it has x', 'them'],
    ['a:read_write', 'a:read_only,c:d', 'the token lacks the scope c:d; it has a:read_write', 'it'],
    ['a:read_write', 'a:read_write,c:d', 'the token lacks the scope c:d; it has a:read_write', 'it'],
    ['a:read_only', 'a:read_write', 'the token lacks the scope a:read_write; it has a:read_only', 'it'],
    ['a:read_write_x', 'a:read_only_x', 'the token lacks the scope a:read_only_x; it has a:read_write_x', 'it'],
    [' ,b:c', 'a:b', 'the token lacks the scope a:b; it has b:c', 'it'],
    ['a:b', ' , *, ', 'the token lacks the scope volumes:read_only; it has a:b', 'it'],
    [undefined, 'a:b', 'the token lacks the scope a:b', 'it'],
  ])('is reported with the missing scope: it has %j of %j: %s', ([has, accepted, message, pronoun]) => {
    const hint = `Sign in with one that has ${pronoun}: skyctl auth login`
    expect(lacks(has, accepted)).toEqual({ code: 'not_allowed', message, hint, retryable: undefined })
  })

  test('has a hint for its source: a variable or a file', () => {
    expect(lacks('', 'a:b', 'SKYCTL_TOKEN').hint).toBe('Set SKYCTL_TOKEN to one that has it')
    expect(lacks('', 'a:b', 'SKYCTL_TOKEN_FILE').hint).toBe('Put one that has it in the file of SKYCTL_TOKEN_FILE')
  })

  test('is recognized by its scopes in the headers or by the reason', () => {
    expect(problemFor(401, { 'x-oauth-scopes': 'a:b' }).code).toBe('not_allowed')
    expect(problemFor(401, {}, reason).code).toBe('not_allowed')
  })

  test('is reported without missing scopes if the operation has none', () => {
    const { message, hint } = problemFor(
      401,
      { 'x-oauth-scopes': 'a:b' },
      { ...reason, operation: { ...operation, scopes: [] } },
    )
    expect([message, hint]).toEqual([
      'the token may not do this; it has a:b',
      'Sign in with one that has more scopes: skyctl auth login',
    ])
  })
})

describe('A rejected token', () => {
  test.for([
    [{}, [], 'token rejected: it is wrong, revoked or expired'],
    [{ 'x-oauth-scopes': 'unknown' }, [], 'token rejected: it is wrong, revoked or expired'],
    [
      { 'x-oauth-scopes': 'a:b' },
      [{ field: null, reason: 'Invalid Token' }],
      'token rejected: it is wrong, revoked or expired',
    ],
  ] as const)('is recognized by the headers %j and the errors %j', ([headers, errors, message]) => {
    expect(problemFor(401, headers, { errors: [...errors] })).toEqual({
      code: 'not_signed_in',
      message,
      hint: 'Sign in with: skyctl auth login',
      retryable: undefined,
    })
  })

  test('is reported as missing if none was sent, and has a hint for its source', () => {
    expect(problemFor(401, {}, { signedIn: false }).message).toBe('the service requires a token')
    expect(problemFor(401, {}, { tokenVariable: 'SKYCTL_TOKEN_FILE' }).hint).toBe(
      'Put a valid token in the file of SKYCTL_TOKEN_FILE',
    )
  })
})

describe('Any other status', () => {
  const no = [
    { field: 'a', reason: 'No' },
    { field: null, reason: 'Never' },
  ]
  const user = 'See its grants: skyctl profile grants. An unrestricted user of the account can grant more'

  test.for<[number, object[], string, string, string | undefined, boolean | undefined]>([
    [
      300,
      [],
      'not_the_api',
      'the service answers with a redirect (300), and none is followed',
      'Check the address: skyctl doctor',
      undefined,
    ],
    [
      399,
      [],
      'not_the_api',
      'the service answers with a redirect (399), and none is followed',
      'Check the address: skyctl doctor',
      undefined,
    ],
    [400, [], 'refused', 'the service refuses GET /volumes/7 (400)', undefined, undefined],
    [400, no, 'refused', 'a: No; Never', undefined, undefined],
    [403, [], 'not_allowed', 'your user may not do this', user, undefined],
    [403, no, 'not_allowed', 'your user may not do this: a: No; Never', user, undefined],
    [404, no, 'not_found', '/volumes/7 not found', undefined, undefined],
    [405, [], 'refused', 'the service does not support GET at /volumes/7', undefined, undefined],
    [408, [], 'unavailable', 'the service failed with 408', 'Try again later', true],
    [425, [], 'unavailable', 'the service failed with 425', 'Try again later', true],
    [429, [], 'rate_limited', 'too many requests', undefined, true],
    [499, [], 'refused', 'the service refuses GET /volumes/7 (499)', undefined, undefined],
    [500, no, 'unavailable', 'the service failed with 500: a: No; Never', 'Try again later', true],
    [503, [], 'unavailable', 'the service failed with 503', 'Try again later', true],
  ])('%i with the errors %j is %s: %s', ([status, errors, code, message, hint, retryable]) => {
    expect(problemFor(status, {}, { errors: errors as never })).toEqual({ code, message, hint, retryable })
  })

  test('after a request that is never repeated is an unknown outcome, except for maintenance', () => {
    const ofPost = (status: number, headers = {}) => problemFor(status, headers, { summary: post })
    for (const status of [408, 425, 500, 502, 503, 504, 520, 525, 529])
      expect(ofPost(status)).toMatchObject({
        code: 'outcome_unknown',
        message: `POST /volumes was sent, but its answer was lost: status ${status}`,
        hint: 'Check the current state before you try again',
      })
    expect(ofPost(503, { 'x-maintenance-mode': 'x' })).toEqual({
      code: 'unavailable',
      message: 'the service is in planned maintenance',
      hint: 'Try again later',
      retryable: true,
    })
    for (const status of [501, 519, 530])
      expect(ofPost(status)).toMatchObject({
        code: 'unavailable',
        hint: 'Check the current state before you try again',
        retryable: false,
      })
    expect(ofPost(400)).toMatchObject({ code: 'refused' })
  })

  test.for<[string, string]>([
    ['0', ''],
    ['1', '; the service asks to wait 1s (after 2026-06-01T12:00:01Z)'],
    ['119', '; the service asks to wait 1m 59s (after 2026-06-01T12:01:59Z)'],
    ['120', '; the service asks to wait 2m (after 2026-06-01T12:02:00Z)'],
    ['121', '; the service asks to wait 2m 1s (after 2026-06-01T12:02:01Z)'],
    ['7199', '; the service asks to wait 1h 59m (after 2026-06-01T13:59:59Z)'],
    ['7200', '; the service asks to wait 2h (after 2026-06-01T14:00:00Z)'],
    ['7201', '; the service asks to wait 2h (after 2026-06-01T14:00:01Z)'],
    ['999999999999999', '; the service asks to wait 277777777777h 46m'],
  ])('is reported with the wait of Retry-After: %s', ([seconds, message]) => {
    expect(problemFor(429, { 'retry-after': seconds }).message).toBe(`too many requests${message}`)
    expect(problemFor(503, { 'retry-after': seconds }).message).toBe(`the service failed with 503${message}`)
  })
})

describe('A missing or invalid answer', () => {
  const fault = { reason: 'it broke' }

  test('is a failure if the request can be repeated or was never sent', () => {
    expect(lostProblem(get, { fault, sent: true })).toMatchObject({
      code: 'unavailable',
      message: 'it broke',
      details: { request: { method: 'GET', path: get.path }, retryable: true },
    })
    expect(lostProblem(get, { fault, sent: true }).details).not.toHaveProperty('hint')
    expect(lostProblem(post, { fault: { ...fault, lasting: true, hint: 'Do that' }, sent: false })).toMatchObject({
      code: 'unavailable',
      details: { retryable: false, hint: 'Do that' },
    })
    const late = { ...fault, lasting: true, passes: true } as const
    expect(lostProblem(get, { fault: late, sent: true }).details.retryable).toBe(true)
    expect(lostProblem(get, { fault: { ...fault, code: 'not_the_api' }, sent: true }).code).toBe('not_the_api')
  })

  test('is an unknown outcome of a request that is never repeated', () => {
    const problem = lostProblem(post, { fault, sent: true })
    expect(problem).toMatchObject({
      code: 'outcome_unknown',
      message: 'POST /volumes was sent, but its answer was lost: it broke',
    })
    expect(problem.details).toEqual({
      request: { method: 'POST', path: '/volumes' },
      hint: 'Check the current state before you try again',
    })
    expect(unknownOutcome(post, 'x', 500).details.status).toBe(500)
  })

  test('is reported with the next step', () => {
    expect(failing(get, 200)('it is odd')).toMatchObject({
      code: 'defect',
      message: 'invalid response to GET /volumes/7?a=b: it is odd',
      details: { hint: 'Check the address: skyctl doctor', status: 200 },
    })
    expect(failing(post)('it is odd').details.hint).toBe('Check the current state before you try again')
    expect(failing(get)('it is HTML', 'not_the_api')).toMatchObject({
      code: 'not_the_api',
      message: 'the response to GET /volumes/7?a=b is not from the API: it is HTML',
    })
    expect(failing(get)('it is over 1 MiB', 'too_large').details).not.toHaveProperty('hint')
    expect(failing(get)('it is over 1 MiB', 'too_large')).toMatchObject({
      code: 'too_large',
      message: 'the response to GET /volumes/7?a=b is too large: it is over 1 MiB',
    })
  })
})

describe('Another attempt', () => {
  const lasting = { fault: { reason: 'x', lasting: true }, sent: false }

  test.for([
    ['safe', true],
    ['idempotent', true],
    ['check first', false],
    ['never', false],
  ] as const)('is possible for operations with the idempotency %s: %s', ([idempotency, isAllowed]) => {
    expect(isRepeatable(idempotency)).toBe(isAllowed)
    expect(mayRepeat({ fault: { reason: 'x' }, sent: true }, idempotency)).toBe(isAllowed)
    expect(mayRepeat({ fault: { reason: 'x' }, sent: false }, idempotency)).toBe(true)
    expect(mayRepeat(lasting, idempotency)).toBe(false)
    expect(mayRepeat({ answer: wire(429) }, idempotency)).toBe(true)
    for (const status of [502, 503, 504]) expect(mayRepeat({ answer: wire(status) }, idempotency)).toBe(isAllowed)
    for (const status of [200, 400, 408, 500, 501, 520])
      expect(mayRepeat({ answer: wire(status) }, idempotency)).toBe(false)
    expect(mayRepeat({ answer: wire(503, { 'x-maintenance-mode': '' }) }, idempotency)).toBe(false)
  })

  test.for<[number, boolean]>([
    [200, false],
    [400, false],
    [404, false],
    [408, true],
    [425, true],
    [429, false],
    [500, true],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [505, false],
    [519, false],
    [520, true],
    [529, true],
    [530, false],
  ])('may repeat work that was done, after status %i: %s', ([status, isPossible]) => {
    expect(isUnknown({ answer: wire(status) })).toBe(isPossible)
    expect(isUnknown({ fault: { reason: 'x' }, sent: isPossible })).toBe(isPossible)
  })

  test('is not made during planned maintenance', () => {
    const headers = { 'x-maintenance-mode': 'x' }
    expect([isMaintenance(wire(503, headers)), isMaintenance(wire(502, headers)), isMaintenance(wire(503))]).toEqual([
      true,
      false,
      false,
    ])
    expect(isUnknown({ answer: wire(503, headers) })).toBe(false)
  })

  test('waits twice as long each time, with full jitter, or as long as Retry-After requests', () => {
    const wait = (answer: ReturnType<typeof wire>, attempt: number, random = 1) =>
      pauseAfter({ answer }, attempt, { random: () => random, now })
    expect([1, 2, 3, 6, 7, 9].map((attempt) => wait(wire(503), attempt))).toEqual([
      500, 1000, 2000, 16_000, 20_000, 20_000,
    ])
    expect([1, 2, 5, 6].map((attempt) => wait(wire(429), attempt))).toEqual([1000, 2000, 16_000, 20_000])
    expect([wait(wire(503), 1, 0), wait(wire(503), 2, 0.5)]).toEqual([0, 500])
    expect(wait(wire(429, { 'retry-after': '3' }), 1, 0)).toBe(3000)
    expect(pauseAfter({ fault: { reason: 'x' }, sent: false }, 1, { random: () => 1, now })).toBe(500)
  })

  const later = new Date(now + 5000).toUTCString()
  test.for<[number, Record<string, string>, number | undefined]>([
    [429, { 'retry-after': ' 7 ' }, 7000],
    [503, { 'retry-after': '7' }, 7000],
    [502, { 'retry-after': '7' }, undefined],
    [429, {}, undefined],
    [429, { 'retry-after': '-1' }, undefined],
    [429, { 'retry-after': '1.5' }, undefined],
    ...['soon', '', '1e3', '0x10', 'Thursday'].map((text): [number, Record<string, string>, undefined] => [
      429,
      { 'retry-after': text },
      undefined,
    ]),
    [429, { 'retry-after': later }, 5000],
    [429, { 'retry-after': later, date: new Date(now - 1000).toUTCString() }, 6000],
    [429, { 'retry-after': new Date(now - 5000).toUTCString() }, 0],
  ])('after status %i with %j waits %s ms', ([status, headers, wait]) => {
    expect(retryAfter(wire(status, headers), now)).toBe(wait)
  })

  test.for<[string, number | undefined]>([
    ['Mon, 01 Jun 2026 12:00:00 GMT', now],
    ['Tue, 01 Jun 2026 12:00:00 GMT', now],
    ['xMon, 01 Jun 2026 12:00:00 GMT', undefined],
    ['Mon, 01 Jun 2026 12:00:00 GMT ', undefined],
    ['Mon, 1 Jun 2026 12:00:00 GMT', undefined],
    ['Mon, 31 Feb 2026 12:00:00 GMT', undefined],
    ['Monday, 01-Jun-26 12:00:00 GMT', now],
    ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Tuesday, 01-Jun-76 12:00:00 GMT', Date.UTC(2076, 5, 1, 12)],
    ['Wednesday, 01-Jun-77 12:00:00 GMT', Date.UTC(1977, 5, 1, 12)],
    ['Mon, 01-Jun-26 12:00:00 GMT', undefined],
    ['Monday, 31-Feb-26 12:00:00 GMT', undefined],
    ['Mon Jun  1 12:00:00 2026', now],
    ['Sun Nov 06 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Mon Jun 1 12:00:00 2026', undefined],
    ['Mon Jun  1 12:00:00 2026 GMT', undefined],
    ['Mon, 01 Jun 2026 12:00:60 GMT', undefined],
    ['Mon, 01 Jun 2026 12:00:00', undefined],
    ['2026-06-01T12:00:00Z', undefined],
    ['', undefined],
  ])('parses the date %j as %s', ([text, time]) => {
    expect(parseHttpDate(text, now)).toBe(time)
  })
})
