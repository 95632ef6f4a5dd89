// Required before a program: when it ends, tells on file descriptor 3 which files and modules of Node it has loaded.
const { writeSync } = require('node:fs')
const Module = require('node:module')

const load = Module._load
const builtins = new Set()
Module._load = function (request, ...rest) {
  if (Module.isBuiltin(request)) builtins.add(request.replace(/^node:/, ''))
  return load.call(this, request, ...rest)
}

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  writeSync(3, JSON.stringify({ files, builtins: [...builtins] }))
})
