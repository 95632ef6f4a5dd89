// What an executable of bun runs: all is in one file, and compiled.
require('./start.js')(() => require('../../dist/main.js'))
