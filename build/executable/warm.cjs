// node warm.cjs DIST OUT WORD...: runs a command line of the program, and then writes what V8 has made of each file of
// DIST to OUT. What the line calls is compiled by then; of the others there is what a first look at them takes.
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
