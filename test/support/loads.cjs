// Required before a program: when it ends, tells on file descriptor 3 which files and modules of Node it has loaded, and
// whether Node's own `fetch`, which is undici, and what aborts; and
// whether the program ended itself.
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
