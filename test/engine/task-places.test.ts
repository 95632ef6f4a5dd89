/** Places of tasks that run at the same time. */
import { expect, test } from 'vitest'
import { keepingPlace } from '../../src/account/wait-limit'
import { TaskPlaces } from '../../src/engine/task-places'

/** Returns a promise, and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('as many tasks run as there are places, in the order of the calls', async () => {
  const places = new TaskPlaces(2)
  const gates = [gate(), gate(), gate()]
  const begun: number[] = []
  const runs = gates.map(({ opened }, index) =>
    places.run(async () => {
      begun.push(index)
      await opened
    }),
  )
  await settled()
  expect(begun).toEqual([0, 1])
  gates[1]?.open()
  await settled()
  expect(begun).toEqual([0, 1, 2])
  for (const { open } of gates) open()
  await Promise.all(runs)
})

test('a task that waits leaves its place, and gets the next one that is free', async () => {
  const places = new TaskPlaces(1)
  const [waited, second] = [gate(), gate()]
  const order: string[] = []
  const runs = [
    places.run(async (whileWaiting) => {
      await whileWaiting(() => waited.opened, 'active')
      order.push('first')
    }),
    places.run(async () => {
      await second.opened
      order.push('second')
    }),
    places.run(async () => void order.push('third')),
  ]
  await settled()
  expect({ waiting: places.waiting, reached: [...places.reached] }).toEqual({ waiting: 1, reached: [['active', 0]] })
  waited.open()
  await settled()
  expect(order).toEqual([])
  second.open()
  await Promise.all(runs)
  expect(order).toEqual(['second', 'first', 'third'])
  expect({ waiting: places.waiting, reached: [...places.reached] }).toEqual({ waiting: 0, reached: [['active', 1]] })
})

test('a failed wait has no place any more, and has reached nothing', async () => {
  const places = new TaskPlaces(1)
  const failing = places.run((whileWaiting) => whileWaiting(() => Promise.reject(new Error('over')), 'active'))
  await expect(failing).rejects.toThrow('over')
  expect(await places.run(async () => places.reached.get('active'))).toBe(0)
})

test('a wait within a wait gives back one place', async () => {
  const places = new TaskPlaces(1)
  await places.run((whileWaiting) => whileWaiting(() => whileWaiting(() => settled())))
  const hold = gate()
  const order: number[] = []
  const runs = [places.run(() => hold.opened), places.run(async () => void order.push(2))]
  await settled()
  expect(order).toEqual([])
  hold.open()
  await Promise.all(runs)
})

test('a task without others keeps its place', async () => {
  expect(await keepingPlace(async () => 1)).toBe(1)
})
