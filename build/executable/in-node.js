// What an executable of Node runs: the files of dist/ are in it, each with what V8 had made of it after a run. One file
// would be parsed as a whole, which takes 30 ms; and of a code cache of its own that does not fit, as with V8's options
// in NODE_OPTIONS, Node warns on stderr.
const { getRawAsset } = require('node:sea')
const { loader } = require('./loader.js')

const asset = (name) => Buffer.from(getRawAsset(name))
const { load } = loader(require, { source: asset, compiled: (name) => asset(`${name}.compiled`) })
require('./start.js')(() => load('./main.js'))
