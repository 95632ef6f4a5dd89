/** In a copy: as the tests are run else, but without building, and quietly. */
import base from '../vitest.config.mts'

const { globalSetup: _built, ...test } = base.test

export default {
  ...base,
  test: {
    ...test,
    reporters: [{}],
    runner: '.mutation/runner.mjs',
    maxWorkers: 1,
    fileParallelism: false,
    isolate: true,
  },
}
