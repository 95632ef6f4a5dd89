/** Watchers of the program that is tried here end with the tests, whatever homes these have made. */
import { program } from './program'
import { kill, watchersBy } from './watchers'

export default function setup(): () => void {
  return () => {
    for (const pid of watchersBy(program.at(-1) ?? '')) kill(pid)
  }
}
