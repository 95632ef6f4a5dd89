// node warm.cjs DIST OUT WORD...: runs a command line of the program, then writes V8's compiled code of each file of
// DIST to OUT. It has all functions that the line called; of other files, it has the part that V8 compiles at first.
const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { loader } = require('./loader.js')

const [, , dist, out] = process.argv.splice(0, 4, process.argv[0], __filename)
const { load, compile, scripts } = loader(require, { source: (name) => readFileSync(join(dist, name)) })
process.on('exit', () => {
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
    const script = scripts.get(name) ?? compile(name)
    writeFileSync(join(out, `${name}.compiled`), script.createCachedData())
  }
})
load('./main.js').main(process)
