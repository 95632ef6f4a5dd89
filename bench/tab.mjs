/**
 * Time of a Tab with 10,000 cached labels: `node bench/tab.mjs`. Completes a volume's label `rounds` times in each
 * installed shell, in an interactive line if possible: once when all labels match, and once when a hundred do. Prints
 * the milliseconds from Tab to the candidates, including the shell's part, and fails if the least is over the goal
 * (performance.md, P9). On a busy machine, run it with a core of its own, such as with `chrt -f 50`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const labels = 10_000
const rounds = 15
const goalMs = 50
const script = (shell) => join(import.meta.dirname, '../completions', `skyctl.${shell}`)

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
try {
  const namesFolder = join(folder, 'cache/skyctl/names/acme')
  mkdirSync(namesFolder, { recursive: true })
  const label = (index) => `data-${String(index).padStart(5, '0')}`
  const lines = Array.from({ length: labels }, (_, index) => `${label(index)}\t${3001 + index}\n`)
  writeFileSync(join(namesFolder, 'volumes'), lines.join(''))
  for (const [shell, program] of Object.entries(programs)) {
    if (spawnSync(shell, ['--version']).error) console.log(`${shell}: NOT TRIED, it is not installed`)
    else for (const input of ['', 'data-042']) console.log(measure(shell, program, input))
  }
} finally {
  rmSync(folder, { recursive: true })
}

function measure(shell, { argv: [command, ...flags], text }, input) {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), SKYCTL_CONTEXT: 'acme' }
  for (const name of ['SKYCTL_TOKEN', 'SKYCTL_TOKEN_FILE', 'SKYCTL_BASE_URL']) delete env[name]
  env.TIMES = join(folder, `${shell}-${input}`)
  const words = [...flags, text, ...(shell === 'fish' ? [] : [shell]), script(shell), input, String(rounds)]
  const rows = execFileSync(command, words, { env, encoding: 'utf8' }).trimEnd().split('\n')
  const times = rows.map((row) => Number(row.split(' ')[0])).sort((a, b) => a - b)
  const [offered] = new Set(rows.map((row) => row.split(' ')[1]))
  const [first, middle] = [0, Math.floor(times.length / 2)].map((index) => times[index])
  if (first > goalMs) process.exitCode = 1
  return `${shell}: ${offered} offered in ${first.toFixed(1)} ms at least, ${middle.toFixed(1)} in the median of ${times.length}; goal ${goalMs}`
}
