/** Configuration in a copy: as for all tests, but without building and without output. */
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
