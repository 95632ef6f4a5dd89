/** Checks whether the user's shell has skyctl's completion. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Session } from '../../engine/session'
import { regularStatus } from '../../files/named-file'
import { tryOrUndefined } from '../../rules/try-or-undefined'
import { type Diagnosis, ok, skipped, warning } from './diagnosis'

/**
 * Per shell: its startup files below the home folder; the paths of installed scripts, from `completion SHELL --help` and
 * packages; and the command that installs the completion.
 */
const shells = {
  bash: {
    starts: ['.bashrc', '.bash_profile', '.bash_completion', '.profile'],
    scripts: [
      'DATA/bash-completion/completions/skyctl',
      ...[
        'SHARE/bash-completion/completions/skyctl',
        'SHARE/bash_completion.d/skyctl',
        '/etc/bash_completion.d/skyctl',
      ],
    ],
    install: "echo 'source <(skyctl completion bash)' >> ~/.bashrc",
  },
  zsh: {
    starts: ['.zshrc', '.zprofile', '.zshenv'],
    scripts: [
      ...[
        'HOME/functions/_skyctl',
        'HOME/.zfunc/_skyctl',
        'HOME/.zsh/completions/_skyctl',
        'HOME/.zsh/functions/_skyctl',
      ],
      ...['HOME/.oh-my-zsh/completions/_skyctl', 'HOME/.oh-my-zsh/custom/completions/_skyctl'],
      ...['SHARE/zsh/site-functions/_skyctl', 'SHARE/zsh/vendor-completions/_skyctl'],
    ],
    install: "echo 'source <(skyctl completion zsh)' >> ~/.zshrc",
  },
  fish: {
    starts: ['.config/fish/config.fish'],
    scripts: ['CONFIG/fish/completions/skyctl.fish', 'SHARE/fish/vendor_completions.d/skyctl.fish'],
    install: 'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish',
  },
  powershell: {
    starts: ['.config/powershell/profile.ps1', '.config/powershell/Microsoft.PowerShell_profile.ps1'],
    scripts: [],
    install: 'Add "skyctl completion powershell | Out-String | Invoke-Expression" to your profile',
  },
}

export function checkCompletion({ env }: Pick<Session, 'env'>, home: string | undefined): Diagnosis {
  const program = basename(env.SHELL ?? '').replace('pwsh', 'powershell')
  const [name, shell] = Object.entries(shells).find(([name]) => name === program) ?? []
  if (!shell || home === undefined) return skipped('completion', 'the shell is unknown, as in CI jobs')
  const line = new RegExp(`^[^#\\n]*\\bskyctl completion ${name}\\b`, 'm')
  const start = shell.starts.map((file) => join(home, file)).find((file) => line.test(textOf(file)))
  if (start !== undefined) return ok('completion', `${name}: loaded by ${start}`)
  const folders: Readonly<Record<string, readonly string[]>> = {
    HOME: [home],
    DATA: [env.XDG_DATA_HOME ?? join(home, '.local/share')],
    CONFIG: [env.XDG_CONFIG_HOME ?? join(home, '.config')],
    SHARE: ['/usr/share', '/usr/local/share', '/opt/homebrew/share'],
  }
  const paths = shell.scripts.flatMap((path) => {
    const [first = '', ...rest] = path.split('/')
    return (folders[first] ?? ['/']).map((folder) => join(folder, ...rest))
  })
  const file = paths.find((path) => textOf(path) !== '')
  if (file === undefined) return warning('completion', `no completion for ${name} in the usual places`, shell.install)
  // A script asks skyctl for the words, so it works with every later version.
  if (textOf(file).includes('skyctl __complete')) return ok('completion', `${name}: ${file}`)
  return warning('completion', `${name}: ${file} is of an older version`, `skyctl completion ${name} > ${file}`)
}

/** Reads a file; empty if it does not exist or is unreadable. */
function textOf(file: string): string {
  const read = () => {
    regularStatus(file)
    return readFileSync(file, 'utf8')
  }
  return tryOrUndefined(read) ?? ''
}
