/** Explains a name that no network has. */
import { readAll } from '../../account/resource'
import { logins } from '../../catalogue/profile/logins'
import { nameOfSource } from '../../engine/body-file'
import type { Session } from '../../engine/session'
import { ignoreProblem, Problem } from '../../errors'
import { meansAnywhere, ownAddress, usualFile } from '../../firewall/networks'
import { showTime } from '../../output/times'
import { didYouMean } from '../../rules/nearest'
import type { NetworksFile } from '../read-networks-file'

const meansOwn = (name: string) => /^(me|my-?ip|self)$/i.test(name)

/** Returns a hint for a name that has a meaning in other tools. */
function meaningOfName(name: string): string | undefined {
  if (meansOwn(name)) return ownAddress
  return meansAnywhere(name) ? 'Did you mean "anywhere"?' : undefined
}

/** Returns the problem of an unknown name of a command line, with the user's last address for one that asks for it. */
export async function explainUnknownNetwork(
  name: string,
  by: string,
  file: NetworksFile,
  session: Session,
): Promise<Problem> {
  const problem = unknownNetworkProblem(name, by, file)
  if (!meansOwn(name)) return problem
  // Without the scope to read logins, the hint names the command that does.
  const address = await lastAddress(session).catch(ignoreProblem)
  return address === undefined ? problem : problem.with({ hint: address })
}

/** Says where the last login came from: nothing asks the network for the address of this machine. */
async function lastAddress({ account, clock }: Session): Promise<string | undefined> {
  const all = await readAll(await account.client(), logins.list)
  const [last] = all.sort((one, other) => (one.datetime < other.datetime ? 1 : -1))
  const age = last && showTime(last.datetime, { width: 1, now: clock.now() })
  return last && `Your last login came from ${last.ip}, ${age}. If you are still there, write that`
}

export function unknownNetworkProblem(name: string, by: string, { path, networks }: NetworksFile): Problem {
  if (path === undefined) {
    const file = `write ${usualFile} in this folder, or set the file of a context: skyctl context update NAME --networks FILE`
    return new Problem('usage', `${by}: "${name}" is not an address, and there is no file that names networks`, {
      hint: meaningOfName(name) ?? `For names, ${file}`,
    })
  }
  const names = [...networks.keys()]
  const available = names.length === 0 ? 'It defines none' : `It defines: ${names.join(', ')}`
  return new Problem('usage', `${by}: no network has the name "${name}" in ${nameOfSource(path)}`, {
    hint: meaningOfName(name) ?? didYouMean(name, [...names, 'anywhere']) ?? available,
  })
}
