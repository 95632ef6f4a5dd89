// Required before a program: when it ends, tells on file descriptor 3 which files and modules of Node it has loaded, and
// whether Node's own `fetch`, which is undici, and what aborts.
const { writeSync } = require('node:fs')

const before = new Set(process.moduleLoadList)

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  const builtins = process.moduleLoadList.filter(
    (name) => !before.has(name) && /^NativeModule (?!internal\/)|\/deps\/undici|abort_controller/.test(name),
  )
  writeSync(3, JSON.stringify({ files, builtins: builtins.map((name) => name.replace('NativeModule ', '')) }))
})
