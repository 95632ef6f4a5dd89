/** Checks the connection to the service step by step: name, proxy, connection and certificate. */
import { promises } from 'node:dns'
import { isIP } from 'node:net'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { authoritiesOf, refuseUnverified } from '../../http/certificates'
import { toNetworkError } from '../../http/network-errors'
import { type Probe, probe } from '../../http/probe'
import { type ChosenProxy, proxyFor } from '../../http/proxy'
import { type Diagnosis, failure, inTime, ofProblem, ok, orProblem, type Patience, skipped, warning } from './diagnosis'

const day = 86_400_000
/** Certificates of 90 days are renewed with 30 days left, so a shorter time means that renewal has failed. */
const soon = 14 * day

export async function lookAtNetwork(baseUrl: string, session: Session, patience: Patience): Promise<Diagnosis[]> {
  const service = new URL(baseUrl)
  const proxy = await orProblem(() => proxyFor(service, session.env), session.signal)
  if (proxy instanceof Problem)
    return [ofProblem('proxy', proxy), skipped('connection', 'the proxy setting is invalid')]
  const way = ok('proxy', proxy ? `${proxy.url.protocol}//${proxy.url.host}, from ${proxy.variable}` : 'none is used')
  const name = proxy ? ok('name', 'the proxy resolves it') : await lookAtName(service, patience)
  return [
    name,
    way,
    ...(name.status === 'failure'
      ? [skipped('connection', 'the address is unknown')]
      : await lookAtConnection({ service, proxy }, session, patience)),
  ]
}

async function lookAtName({ hostname, host }: URL, patience: Patience): Promise<Diagnosis> {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return ok('name', `${hostname} is an address`)
  const look = async () => {
    try {
      return await promises.lookup(hostname, { all: true })
    } catch (error) {
      throw problemOf(error, host)
    }
  }
  const addresses = await inTime(look, patience)
  if (addresses instanceof Problem) return ofProblem('name', addresses)
  return ok(
    'name',
    `${hostname} is ${addresses
      .map(({ address }) => address)
      .slice(0, 4)
      .join(', ')}`,
  )
}

function problemOf(error: unknown, host: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { reason, hint, code } = toNetworkError(error, host)
  return new Problem(code ?? 'unavailable', reason, hint ? { hint } : {})
}

interface Way {
  service: URL
  proxy: ChosenProxy | undefined
}

async function lookAtConnection({ service, proxy }: Way, session: Session, patience: Patience): Promise<Diagnosis[]> {
  const { clock, env } = session
  const { stepMs, signal } = patience
  const unverified = await orProblem(() => refuseUnverified(service.href, env), signal)
  if (unverified instanceof Problem) return [ofProblem('certificate', unverified)]
  const look = async () => {
    try {
      const trust = await authoritiesOf(service, env)
      return await probe(service, { proxy, trust, timeoutMs: stepMs, signal })
    } catch (error) {
      throw problemOf(error, service.host)
    }
  }
  const result = await orProblem(look, signal)
  if (result instanceof Problem) return [ofProblem('connection', result)]
  const connection = ok('connection', `${service.host} answers${result.address ? ` at ${result.address}` : ''}`)
  return [connection, ...certificateOf(result, { host: service.host, now: clock.now() })]
}

function certificateOf({ certificate }: Probe, { host, now }: { host: string; now: number }): Diagnosis[] {
  if (!certificate) return [ok('certificate', 'none is needed on this machine')]
  const { from, to, issuer, fault } = certificate
  const dates = `valid from ${dayOf(from)} to ${dayOf(to)}, by ${issuer}`
  if (fault) {
    const { reason, hint } = toNetworkError(fault, host)
    return [failure('certificate', `${reason} (${dates})`, hint)]
  }
  const left = Math.floor((to - now) / day)
  if (to - now < soon)
    return [warning('certificate', `ends in ${left} days: ${dates}`, 'Ask the operator of the service to renew it')]
  return [ok('certificate', dates)]
}

const dayOf = (time: number) => (Number.isNaN(time) ? 'an unknown day' : new Date(time).toISOString().slice(0, 10))
