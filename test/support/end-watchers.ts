/** Ends the watchers of the tested program after all tests, whatever homes they use. */
import { program } from './program'
import { kill, watchersBy } from './watchers'

export default function setup(): () => void {
  return () => {
    for (const pid of watchersBy(program.at(-1) ?? '')) kill(pid)
  }
}
