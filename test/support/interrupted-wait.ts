/** A user who presses Ctrl-C while skyctl waits. */
import type { Io } from '../../src/platform/io'
import type { Clock } from '../../src/rules/times'

/** Returns the clock and the signals of a user who presses Ctrl-C at each wait that `isDue` accepts. */
export function interruptedWait<C extends Clock>(
  clock: C,
  isDue: (milliseconds: number) => boolean | Promise<boolean> = () => true,
): Pick<Io, 'onSignal'> & { clock: C } {
  let interrupt = () => {}
  return {
    onSignal(handler) {
      interrupt = () => handler('SIGINT')
      return () => {}
    },
    clock: {
      ...clock,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        if (await isDue(milliseconds)) interrupt()
        await clock.sleep(milliseconds, signal)
      },
    },
  }
}
