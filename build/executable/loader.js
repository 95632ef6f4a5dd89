'use strict'
const { Script } = require('node:vm')

/**
 * Evaluates each file of dist/ when it is first needed. `source` and, if given, `compiled` return the bytes of a file
 * by name: its text, and V8's compiled code, which is ignored if it does not fit. `scripts` has the compiled scripts by
 * name.
 */
exports.loader = function loader(require, { source, compiled }) {
  const scripts = new Map()
  const modules = new Map()

  function compile(name) {
    // The build writes ASCII, which this decodes fastest.
    const text = `(function (exports, require, module) {${source(name).latin1Slice()}\n})`
    const script = new Script(text, { filename: name, ...(compiled && { cachedData: compiled(name) }) })
    scripts.set(name, script)
    return script
  }

  function load(path) {
    if (!path.startsWith('./')) return require(path)
    if (modules.has(path)) return modules.get(path).exports
    const module = { exports: {} }
    modules.set(path, module)
    compile(path.slice('./'.length)).runInThisContext()(module.exports, load, module)
    return module.exports
  }

  return { load, compile, scripts }
}
