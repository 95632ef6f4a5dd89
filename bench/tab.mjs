/**
 * Time of a Tab with 10,000 cached labels: `node bench/tab.mjs`. Runs `skyctl __complete` for each shell beside bare node,
 * once when all labels match and once when a hundred do, and fails if it takes more than the goal (performance.md, P9).
 * Then completes such a label in each installed shell, in an interactive line if possible, and prints the milliseconds
 * from Tab to the candidates, with the part of the shell.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { measure } from './measure.mjs'

const labels = 10_000
const rounds = 25
const goal = 1.4
const launcher = join(import.meta.dirname, '../bin/skyctl.js')
const script = (shell) => join(import.meta.dirname, '../completions', `skyctl.${shell}`)
const inputs = ['', 'data-042']

// Each prints a line per round: milliseconds, and the number of candidates.
const programs = {
  bash: {
    argv: ['bash', '--norc', '-c'],
    text: `
      source "$1"
      COMP_WORDS=(skyctl volumes view "$2") COMP_CWORD=3 COMP_LINE="skyctl volumes view $2" COMP_POINT=\${#COMP_LINE}
      for ((round = 0; round < $3; round++)); do
        from=\${EPOCHREALTIME/./}
        _skyctl
        echo $((\${EPOCHREALTIME/./} - from)) \${#COMPREPLY[@]}
      done | while read -r us count; do echo "$((us / 1000)).$((us % 1000 / 100)) $count"; done`,
  },
  zsh: {
    argv: ['zsh', '-f', '-c'],
    text: `
      zmodload zsh/zpty
      print -r -- '
        PROMPT=
        autoload -Uz compinit && compinit -D -u
        bindkey "^I" complete-word
        zmodload zsh/datetime
        before() { from=$EPOCHREALTIME; compprefuncs=(before) }
        after() {
          print -r -- $(( (EPOCHREALTIME - from) * 1000 )) $compstate[nmatches] >>$TIMES
          compstate[list]= compstate[insert]=
          comppostfuncs=(after)
          print -n off; print ered
        }
        compprefuncs=(before) comppostfuncs=(after)
      ' >$TIMES.zsh
      zpty z zsh -f -i
      zpty -w z "source $TIMES.zsh; source \${(q)1}; print -n rea; print dy"
      zpty -r -m z text '*ready*'
      for ((round = 0; round < $3; round++)); do
        zpty -n -w z "skyctl volumes view $2"$'\\t'
        zpty -r -m z text '*offered*'
        zpty -n -w z $'\\x15'
      done
      cat $TIMES`,
  },
  fish: {
    argv: ['fish', '--no-config', '-c'],
    text: `
      source $argv[1]
      set offered (complete -C "skyctl volumes view $argv[2]" | count)
      for round in (seq $argv[3])
        set from (date +%s%N)
        complete -C "skyctl volumes view $argv[2]" >/dev/null
        set to (date +%s%N)
        echo (math "($to - $from) / 1000000") $offered
      end`,
  },
}

const folder = mkdtempSync(join(tmpdir(), 'skyctl-tab-'))
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), SKYCTL_CONTEXT: 'acme' }
// Node 20 reads such certificates at every start, which takes longer than an answer.
for (const name of ['SKYCTL_TOKEN', 'SKYCTL_TOKEN_FILE', 'SKYCTL_BASE_URL', 'NODE_EXTRA_CA_CERTS']) delete env[name]
env.PATH = [folder, process.env.PATH].join(delimiter)
try {
  const namesFolder = join(folder, 'cache/skyctl/names/acme')
  mkdirSync(namesFolder, { recursive: true })
  const label = (index) => `data-${String(index).padStart(5, '0')}`
  const lines = Array.from({ length: labels }, (_, index) => `${label(index)}\t${3001 + index}\n`)
  writeFileSync(join(namesFolder, 'volumes'), lines.join(''))
  symlinkSync(launcher, join(folder, 'skyctl'))
  for (const line of await measureAnswers()) console.log(line)
  for (const [shell, program] of Object.entries(programs)) {
    if (spawnSync(shell, ['--version']).error) console.log(`${shell}: NOT TRIED, it is not installed`)
    else for (const input of inputs) console.log(measureShell(shell, program, input))
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** Compares the fastest runs, since other processes make the rest slower. */
async function measureAnswers() {
  const bare = { name: 'node -e 0', argv: [process.execPath, '-e', '0'], env, prints: (text) => text === '' }
  const answers = ['bash', 'zsh', 'fish'].flatMap((shell) =>
    inputs.map((input) => ({
      name: `__complete ${shell} volumes view "${input}"`,
      argv: [process.execPath, launcher, '__complete', shell, 'volumes', 'view', input],
      env,
      prints: (text) => text.startsWith(':words \ndata-0'),
    })),
  )
  const [base, ...results] = await measure([bare, ...answers], rounds)
  return results.map(({ name, min, ratioOfMins }) => {
    if (ratioOfMins > goal) process.exitCode = 1
    const times = `${min.toFixed(1)} ms at least, bare node ${base.min.toFixed(1)}`
    return `${name}: ${ratioOfMins.toFixed(2)} × bare node (${times}); goal ${goal}`
  })
}

function measureShell(shell, { argv: [command, ...flags], text }, input) {
  const own = { ...env, TIMES: join(folder, `${shell}-${input}`) }
  const words = [...flags, text, ...(shell === 'fish' ? [] : [shell]), script(shell), input, String(rounds)]
  const rows = execFileSync(command, words, { env: own, encoding: 'utf8' }).trimEnd().split('\n')
  const times = rows.map((row) => Number(row.split(' ')[0])).sort((a, b) => a - b)
  const [offered] = new Set(rows.map((row) => row.split(' ')[1]))
  const [first, middle] = [0, Math.floor(times.length / 2)].map((index) => times[index])
  return `${shell}: ${offered} offered in ${first.toFixed(1)} ms at least, ${middle.toFixed(1)} in the median of ${times.length}`
}
