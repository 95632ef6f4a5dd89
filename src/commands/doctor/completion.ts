/** Checks whether the user's shell has skyctl's completion, and for this version. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Root } from '../../engine/command'
import type { Session } from '../../engine/session'
import { regularStatus } from '../../files/named-file'
import type { Shell } from '../../generate/shells'
import type { Environment } from '../../rules/environment'
import { type Diagnosis, ok, skipped, warning } from './diagnosis'

interface Places {
  /** Startup files of the shell, below the home folder. */
  starts: readonly string[]
  /** Returns the paths of installed scripts, from `completion SHELL --help` and packages. */
  scripts(home: string, env: Environment): readonly string[]
  /** Command that installs the completion. */
  install: string
}

const config = (home: string, env: Environment) => env.XDG_CONFIG_HOME ?? join(home, '.config')
const data = (home: string, env: Environment) => env.XDG_DATA_HOME ?? join(home, '.local/share')

const places: Readonly<Record<Shell, Places>> = {
  bash: {
    starts: ['.bashrc', '.bash_profile', '.bash_completion', '.profile'],
    scripts: (home, env) => [
      join(data(home, env), 'bash-completion/completions/skyctl'),
      ...['/usr/share', '/usr/local/share', '/opt/homebrew/share', '/etc'].flatMap((folder) => [
        join(folder, 'bash-completion/completions/skyctl'),
        join(folder, 'bash_completion.d/skyctl'),
      ]),
    ],
    install: "echo 'source <(skyctl completion bash)' >> ~/.bashrc",
  },
  zsh: {
    starts: ['.zshrc', '.zprofile', '.zshenv'],
    scripts: (home) => [
      ...[
        'functions',
        '.zfunc',
        '.zsh/completions',
        '.zsh/functions',
        '.oh-my-zsh/completions',
        '.oh-my-zsh/custom/completions',
      ].map((folder) => join(home, folder, '_skyctl')),
      ...['/usr/share', '/usr/local/share', '/opt/homebrew/share'].flatMap((folder) => [
        join(folder, 'zsh/site-functions/_skyctl'),
        join(folder, 'zsh/vendor-completions/_skyctl'),
      ]),
    ],
    install: "echo 'source <(skyctl completion zsh)' >> ~/.zshrc",
  },
  fish: {
    starts: ['.config/fish/config.fish'],
    scripts: (home, env) => [
      join(config(home, env), 'fish/completions/skyctl.fish'),
      '/usr/share/fish/vendor_completions.d/skyctl.fish',
    ],
    install: 'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish',
  },
  powershell: {
    starts: ['.config/powershell/profile.ps1', '.config/powershell/Microsoft.PowerShell_profile.ps1'],
    scripts: () => [],
    install: 'Add "skyctl completion powershell | Out-String | Invoke-Expression" to your profile',
  },
}

const shells: Readonly<Record<string, Shell>> = { bash: 'bash', zsh: 'zsh', fish: 'fish', pwsh: 'powershell' }

export async function checkCompletion(
  { env }: Session,
  { home, program }: { home: string | undefined; program: Root },
): Promise<Diagnosis> {
  const name = basename(env.SHELL ?? '')
  const shell = Object.hasOwn(shells, name) ? shells[name] : undefined
  if (!shell || home === undefined) return skipped('completion', 'the shell is unknown, as in CI jobs')
  const { starts, scripts, install } = places[shell]
  // A script that is generated at each start always has this version.
  const line = new RegExp(`^[^#\\n]*\\bskyctl completion ${shell}\\b`, 'm')
  const start = starts.map((file) => join(home, file)).find((file) => line.test(textOf(file) ?? ''))
  if (start !== undefined) return ok('completion', `${shell}: loaded by ${start}`)
  const files = scripts(home, env).flatMap((file) => {
    const text = textOf(file)
    return text === undefined ? [] : [{ file, text }]
  })
  const [first] = files
  if (!first) return warning('completion', `no completion for ${shell} in the usual places`, install)
  const own = await scriptOf(shell, program)
  if (first.text === own) return ok('completion', `${shell}: ${first.file}, of this version`)
  return warning(
    'completion',
    `${shell}: ${first.file} is of another version`,
    `skyctl completion ${shell} > ${first.file}`,
  )
}

/** Reads a file; undefined if it does not exist or is unreadable. */
function textOf(file: string): string | undefined {
  try {
    regularStatus(file)
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

async function scriptOf(shell: Shell, program: Root): Promise<string> {
  const [{ loadTree }, { completionScript }] = await Promise.all([
    import('../../generate/tree'),
    import('../../generate/shells'),
  ])
  return completionScript(shell, await loadTree(program))
}
