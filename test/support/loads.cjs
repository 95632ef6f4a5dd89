// Required before a program: reports on file descriptor 3, when the program ends, which files and modules of Node it
// has loaded, and whether it ended itself. The modules include Node's own `fetch` (undici) and `AbortController`.
const { writeSync } = require('node:fs')

const before = new Set(process.moduleLoadList)

let ended = false
process.on('beforeExit', () => {
  ended = true
})

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  const builtins = process.moduleLoadList.filter(
    (name) => !before.has(name) && /^NativeModule (?!internal\/)|\/deps\/undici|abort_controller/.test(name),
  )
  writeSync(
    3,
    JSON.stringify({ atOnce: !ended, files, builtins: builtins.map((name) => name.replace('NativeModule ', '')) }),
  )
})
