/** A job of a plan while it runs, for those that wait for it. */
import { nameList } from '../rules/texts'
import { type Job, servicesIn } from '../state/schedule'
import { titleOf } from './plan-screen'

/** A job that is running or waiting. */
export interface Running {
  input: string
  job: Job
  isOver: boolean
  over: Promise<void>
  finish(): void
}

/** Creates the entry of a job that will run. */
export function begun(job: Job): Running {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const titles = [...new Set(job.parts.map(({ object }) => titleOf(object)))]
  const running: Running = {
    input: job.isHandover ? nameList(servicesIn(job)) : titles.join(', '),
    job,
    isOver: false,
    over,
    finish() {
      running.isOver = true
      end()
    },
  }
  return running
}
