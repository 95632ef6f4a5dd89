/** Texts of `skyctl help TOPIC`, for facts about several commands. */

import { meanings } from '../../engine/command-exit-codes'
import { flagForms } from '../../engine/command-nodes'
import { globalFlags } from '../../engine/flags'
import { flagText } from '../../engine/spelled-option'
import { exitCodes } from '../../errors'
import { wrap } from '../../output/wrap'
import { variables } from '../../rules/environment'
import { keysOf } from '../../rules/records'
import { bulk, lockout, wait } from './change-topics'
import { accountFile, networks, rulesFile } from './file-topics'
import { filter, output } from './output-topics'

const exits = keysOf(exitCodes).map((code) => `  ${String(exitCodes[code]).padStart(3)}  ${meanings[code]}`)

const variableLines = variables.map(({ name, description }) => `  ${name.padEnd(19)} ${description}`)

const flagLines = globalFlags.map((flag) =>
  wrap(`  ${flagForms(flag).join(', ').padEnd(21)}  ${flagText(flag)}`, 80, ' '.repeat(25)),
)

/** By name, in the order of help. */
export const topics: Readonly<Record<string, string>> = {
  'account-file': accountFile,
  bulk,
  environment: `Environment

${variableLines.join('\n')}
  VISUAL, EDITOR      editor of the commands edit
  PAGER               pager without SKYCTL_PAGER (default: less)
  LC_ALL, LC_CTYPE, LANG
                      the first that is set is the locale
  SSH_CONNECTION      access that changes must not block: skyctl help lockout
  COLUMNS             width of tables where the output is no terminal
  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb
                      colour; --color overrides them
  HTTPS_PROXY, ALL_PROXY
                      proxy to the service, as http://proxy.example.net:3128,
                      https:// or socks5h://; it resolves the service's name
  NO_PROXY            hosts without the proxy: example.net,10.0.0.0/8
  NODE_EXTRA_CA_CERTS file with additional certificate authorities;
                      skyctl rejects NODE_TLS_REJECT_UNAUTHORIZED=0
  SSL_CERT_FILE       file with authorities instead of the built-in ones
  SSL_CERT_DIR        folders with additional authorities, named by c_rehash

A flag overrides the environment, and the environment overrides the context. A
context named by a flag uses its own address and token; --context sandbox and
SKYCTL_CONTEXT=sandbox need neither.
If SKYCTL_BASE_URL is set, skyctl sends SKYCTL_TOKEN only to that address. It
warns on stderr about overridden and ignored settings, and about unknown
variables that begin with SKYCTL_. An empty variable is not set, except for the
pager. A variable has the values of its flag; true, yes and on are 1, and false,
no and off are 0. Set only one of SKYCTL_TOKEN and SKYCTL_TOKEN_FILE. Programs
that skyctl starts, such as an editor or a token command, do not get
SKYCTL_TOKEN.

Commands that only read send output that is longer than the terminal through the
pager. An empty pager, cat and TERM=dumb turn it off. If LESS is not set, it is
FRX with a prompt that says how to leave; if LV is not set, it is -c. If neither
LESSSECURE nor SKYCTL_PAGER is set, LESSSECURE=1 turns off the commands of less
that write files or start programs.

skyctl draws only ASCII unless the locale is UTF-8. If none is set, it is C, as
in POSIX, since the terminal may not show other characters; on Windows it is
UTF-8. Text of the service is printed in any locale.

Docker and CI

A container needs only SKYCTL_BASE_URL and SKYCTL_TOKEN_FILE: no home, no user
name and no writable folder. Commands that need a file (contexts, the sandbox,
edit, rules undo) end with exit code 12 without one.

  docker run --rm -e SKYCTL_BASE_URL -e SKYCTL_TOKEN IMAGE volumes list

Without a terminal, skyctl never asks: a command with a question fails with exit
code 2, unless --yes or SKYCTL_YES=1 answers it. A job needs a token with few
scopes, and a new one before it expires:

  skyctl tokens create --label ci --scopes-for plan --expiry 90d
  skyctl tokens list --expiring 14d --exit-code
  skyctl tokens rotate ci --output-file ci.token --yes
`,
  'exit-codes': `Exit codes

    0  success, also for an empty list
${exits.join('\n')}

With --json a failure is one object on stderr: {"error": {"code", "message",
"exit_code", "status", "errors", "request", "retryable", "hint", "created"}}.
"retryable" is true only if the same command can be repeated and does nothing
twice. "created" has what the command created before the failure.

To fail if a list has anything, for example a detached volume:
  ids=$(skyctl volumes list --filter compute_id=none -q) && test -z "$ids"
`,
  filter,
  flags: `Flags

Every command has these global flags, before or after its words:

${flagLines.join('\n')}

A flag overrides its environment variable, and both override the context: skyctl
help environment. A time is a number with a unit, such as 90s, 5m or 1h30m.

A value follows a flag as --size 40 or --size=40. Flags that are repeatable may
be set several times; where help says a,b they also take a list. --no-tags and
the like empty a list or switch something off. The spelling of the API works,
too: --compute_id is --compute-id. No flag may be abbreviated.

A page of help names the flags that many commands share in one line, with the
topic that explains them. This shows all flags of a command:

  skyctl volumes list --help --all
`,
  lockout,
  networks,
  output,
  references: `References to objects

  123          an id: a whole number from 1
  data         a label; it must match exactly
  id:123       an id in any format
  label:123    a label in any format
  -            read them from stdin, one on each line

If nothing matches, the exit code is 5 and skyctl suggests similar names. If
several objects have the label, it is 6 and skyctl prints their ids. With
several targets, skyctl continues after a failure and the exit code is 9. Name
regions by their ids, such as us-east.
`,
  'rules-file': rulesFile,
  wait,
}
