// Entry of an executable of Node: it contains the files of dist/, each with V8's compiled code after a run. One file
// would be parsed as a whole, which takes 30 ms. And if the code cache of a single file does not fit, as with V8's
// options in NODE_OPTIONS, Node warns on stderr.
const { getRawAsset } = require('node:sea')
const { loader } = require('./loader.js')

const asset = (name) => Buffer.from(getRawAsset(name))
const { load } = loader(require, { source: asset, compiled: (name) => asset(`${name}.compiled`) })
require('./start.js')(
  () => load('./main.js'),
  () => load('./completion.js'),
)
