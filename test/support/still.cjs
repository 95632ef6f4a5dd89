// Time stands still in the process that runs this first, and its random marks are the same in every run.
const { createHash } = require('node:crypto')
const { argv, env } = require('node:process')

const now = Number(env.STILL_AT)
let drawn = 0
Date.now = () => now
globalThis.crypto.randomUUID = () => {
  drawn += 1
  const hex = createHash('sha256')
    .update(`${argv.slice(2).join(' ')} ${drawn}`)
    .digest('hex')
  // The mark that is made of it is the start of the digest.
  return `${hex.slice(0, 8)}-0000-4000-8000-0000${hex.slice(8, 16)}`
}
