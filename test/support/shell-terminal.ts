/** Real shells in a terminal, in which a test types a line and presses Tab. */
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { vi } from 'vitest'

export const completionShells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof completionShells)[number]

const script = (shell: CompletionShell) => join(import.meta.dirname, '../../completions', `skyctl.${shell}`)

/** In the shell, skyctl prints its words between these characters. Tab runs the program, since scripts use `command`. */
const [before, end] = ['\u001e', '\u001d']
const printing = "printf '\\036%s'"
const ending = "printf '\\035\\n'"

const shells: Readonly<Record<CompletionShell, { argv: readonly string[]; setup: string }>> = {
  bash: {
    argv: ['--norc', '--noprofile', '-i'],
    setup: `bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'; set -u; skyctl() { ${printing} "$@"; ${ending}; }`,
  },
  zsh: {
    argv: ['-f', '-i'],
    setup: `unset zle_bracketed_paste; autoload -Uz compinit && compinit -C -u -d $HOME/.zcompdump; skyctl() { ${printing} "$@"; ${ending}; }`,
  },
  fish: {
    argv: ['--no-config', '-i'],
    setup: `function skyctl; ${printing} $argv; ${ending}; end; function fish_prompt; echo '> '; end`,
  },
}

export class ShellTerminal {
  private output = ''

  private constructor(private readonly terminal: IPty) {
    terminal.onData((data) => {
      this.output += data
    })
  }

  static async open(shell: CompletionShell, env: Record<string, string>): Promise<ShellTerminal> {
    const { argv, setup } = shells[shell]
    const terminal = spawn(shell, [...argv], {
      env: { ...env, TERM: 'dumb', PS1: '> ' },
      cwd: env.HOME ?? '/',
      cols: 250,
    })
    const opened = new ShellTerminal(terminal)
    await opened.run(setup)
    await opened.run(`source ${script(shell)}`)
    return opened
  }

  /** Runs a command line. */
  async run(line: string): Promise<void> {
    // Quotes keep the shell's echo of the line from being its output.
    await this.type(`${line}; echo do''ne\r`, 'done')
  }

  /** Types a line and Tab, runs the line, and returns the words that skyctl gets. */
  async complete(line: string): Promise<string[]> {
    const output = await this.type(`${line}\t\r`, end)
    return output.slice(output.indexOf(before) + 1, output.indexOf(end)).split(before)
  }

  /** Types until a text appears, and returns the output. */
  async type(text: string, until: string): Promise<string> {
    this.output = ''
    this.terminal.write(text)
    await vi.waitFor(() => {
      if (!this.output.includes(until)) throw new Error(`after ${text}: ${JSON.stringify(this.output)}`)
    }, 15_000)
    return this.output
  }

  /** Empties the line. */
  clear(): void {
    this.terminal.write('\u0003')
  }

  /** Resolves when the shell has ended, and writes no file any more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.terminal.onExit(() => resolve())
      this.terminal.kill()
    })
  }
}
