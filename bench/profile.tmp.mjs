import process from 'node:process'
import { startVitest } from 'vitest/node'
const vitest = await startVitest('test', process.argv.slice(2), { run: true, setupFiles: ['/tmp/suite/profile-setup.ts'] })
await vitest.close()
