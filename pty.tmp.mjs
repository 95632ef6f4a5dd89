import { spawn } from '@lydell/node-pty'
const [shell, ...lines] = process.argv.slice(2)
const home = '/tmp/th'
const env = { HOME: home, PATH: `${home}/bin:${process.env.PATH}`, LC_ALL: 'C.UTF-8', XDG_CACHE_HOME: `${home}/cache`, SKYCTL_CONTEXT: 'sandbox', SKYCTL_CONFIG_DIR: `${home}/config`, SKYCTL_STATE_DIR: `${home}/state`, TERM: 'dumb', INPUTRC: '/dev/null', PS1: '> ' }
const root = process.cwd()
const setup = {
  bash: { argv: ['--norc', '--noprofile', '-i'], init: `bind 'set enable-bracketed-paste off'; source ${root}/completions/skyctl.bash; skyctl() { printf '<%s>' "$@"; echo; }; echo rea''dy` },
  zsh: { argv: ['-f', '-i'], init: `PROMPT='> '; autoload -Uz compinit && compinit -C -u -d ${home}/.zcompdump; source ${root}/completions/skyctl.zsh; skyctl() { printf '<%s>' "$@"; echo; }; unsetopt zle_bracketed_paste; echo rea''dy` },
  fish: { argv: ['--no-config', '-i'], init: `function fish_prompt; echo '> '; end; function skyctl; printf '<%s>' $argv; echo; end; source ${root}/completions/skyctl.fish; echo rea''dy` },
}[shell]
const term = spawn(shell, setup.argv, { env, cwd: home, cols: 250, rows: 50 })
let out = ''
term.onData((d) => { out += d })
const wait = async (re) => { const t = Date.now(); while (!re.test(out)) { if (Date.now() - t > 15000) { console.log('TIMEOUT', JSON.stringify(out)); return }; await new Promise((r) => setTimeout(r, 20)) } }
const quiet = async () => { let n = -1; while (n !== out.length) { n = out.length; await new Promise((r) => setTimeout(r, 700)) } }
term.write(setup.init + '\r'); await wait(/ready/)
await quiet()
for (const line of lines) {
  out = ''
  term.write(`${line}\t`)
  await quiet()
  const shown = out
  term.write('\r'); await wait(/<.*>\r?\n/); await quiet()
  console.log(JSON.stringify(line), '->', /<.*>(?=\r?\n)/.exec(out)?.[0] ?? 'NONE ' + JSON.stringify(out), process.env.V ? JSON.stringify(shown) : '')
  if (!/<.*>(?=\r?\n)/.test(out)) term.write('\x03')
}
term.kill()
