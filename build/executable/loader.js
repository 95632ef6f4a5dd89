'use strict'
const { Script } = require('node:vm')

/**
 * Evaluates the files of dist/, each when it is first needed. `source` and, if given, `compiled` resolve to the bytes of
 * a file by its name: its text, and what V8 made of it once, which is not used where it does not fit. `scripts` has
 * what was compiled, by name.
 */
exports.loader = function loader(require, { source, compiled }) {
  const scripts = new Map()
  const modules = new Map()

  function compile(name) {
    // What the build writes is ASCII: no other decoding is as fast.
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
