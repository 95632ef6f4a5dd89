/** Preparations of some examples, the answers to their questions, and their exit codes if not 0. */
import { Secret, TOTP } from 'otpauth'
import { down, enter, type Step, step } from '../flows/steps'
import { threeAnswers } from './example-world'
import type { TestSandbox } from './sandbox'
import type { OpenTerminal } from './terminal'

type Service = Pick<TestSandbox, 'baseUrl' | 'ownerToken'>

export interface ExampleSetup {
  /** Commands that the same shell runs before the example. */
  before?: string
  /** Command that shows what the example did, if it prints nothing. */
  after?: string
  exit?: number
  shell?: 'bash' | 'zsh'
  /** Answers to its questions. Such an example is not run without a terminal. */
  answers?(terminal: OpenTerminal, service: Service): Step[]
}

const signIn = 'echo "$SERVICE_TOKEN" | skyctl auth login --base-url "$SERVICE" --with-token --context'
const answerQuestions = `echo '${JSON.stringify(threeAnswers)}' | skyctl profile security-questions answer --body -`
const sendCode = 'skyctl profile phone send --iso-code DE --phone-number 030123456'
const verifyCode = 'skyctl sandbox outbox -o tsv --query "[-1].code" | xargs skyctl profile phone verify --otp-code'
const secret = 'secret=$(skyctl profile tfa enable -o tsv --query secret)'
const confirmCode = 'skyctl profile tfa confirm --tfa-code "$(oathtool --totp --base32 "$secret")"'

/** Only a created token expires, not that of the context. */
const expiringToken =
  'unset SKYCTL_CONTEXT; export SKYCTL_BASE_URL="$SERVICE" SKYCTL_TOKEN="$SERVICE_TOKEN"; ' +
  'SKYCTL_TOKEN=$(skyctl tokens create --label ci --expiry 30d --query token -o tsv)'

const account = 'mkdir account; skyctl export > account.yaml; cp account.yaml account/'
const grown = `${account}; printf 'volumes: { data-2: { size: 30 } }' | tee account.yaml > account/account.yaml`

const confirm = step('(y/N)', `y${enter}`)
const threeQuestions = [1, 2, 3].flatMap((count) => [
  step(`? Question ${count} of 3`, enter),
  step(new RegExp(`${count} of 3(.|\\n)*\\? Answer`), `kept${enter}`),
])

/** Returns the code of an authenticator app that scanned the address on the screen. */
function codeOn({ screen }: OpenTerminal): string {
  const [, key = ''] = /secret=([A-Z2-7]+)/.exec(screen().join('\n')) ?? []
  return new TOTP({ secret: Secret.fromBase32(key) }).generate()
}

/** All rows that match an example apply to it. */
const arrangements: readonly (readonly [RegExp, ExampleSetup])[] = [
  [
    /^skyctl firewalls rules add web spare /,
    { before: "echo '{ inbound: [] }' | skyctl firewalls rules update web --file - --yes" },
  ],
  [/^skyctl (plan|apply|validate) account/, { before: grown }],
  // No server has that address; test/version.test.ts has the answers.
  [/^skyctl version --check/, { exit: 8 }],
  // These report findings by exit code 13.
  [/ --exit-code$| --fail-on high$/, { exit: 13 }],
  [/^skyctl profile phone verify/, { before: sendCode }],
  [/^skyctl sandbox outbox/, { before: sendCode }],
  [/^skyctl profile phone delete/, { before: `${sendCode} && ${verifyCode}` }],
  [/^secret=/, { before: answerQuestions, after: 'echo "$secret"' }],
  [/^skyctl profile tfa confirm/, { before: `${answerQuestions} && ${secret}`, after: 'cat scratch.txt' }],
  [/^skyctl profile tfa disable/, { before: `${answerQuestions} && ${secret} && ${confirmCode}` }],
  [/^skyctl history/, { before: 'skyctl volumes update data-2 --label archive' }],
  [
    /^skyctl history undo --apply/,
    { before: "printf 'volumes: { data-2: { tags: [archive] } }' | skyctl apply - --yes" },
  ],
  [/^skyctl firewalls rules undo/, { before: 'skyctl firewalls rules move web inbound label:accept-ping --at 1' }],
  [
    /^skyctl tokens list --superseded/,
    { before: 'skyctl tokens update deploy --label "deploy (superseded until 2026-01-31T12:00Z)"' },
  ],
  [/days_left/, { before: expiringToken }],
  [/^skyctl context (update|delete) prod/, { before: `${signIn} prod` }],
  [/^skyctl context rename owner/, { before: `${signIn} owner` }],
  [/^skyctl auth logout/, { before: `${signIn} prod && export SKYCTL_CONTEXT=prod` }],
  [/ --seed world.json/, { before: 'skyctl sandbox world --json > world.json' }],
  [/completion bash\)/, { shell: 'bash', after: 'complete -p skyctl' }],
  [/completion zsh\)/, { shell: 'zsh', before: 'autoload -U compinit; compinit', after: 'echo $_comps[skyctl]' }],
  [/completion zsh >/, { shell: 'zsh', before: 'mkdir ~/functions; fpath=(~/functions $fpath)' }],
  [/^notepad/, { after: 'ls "$PROFILE"' }],
  [/\| (source|Invoke-Expression)$/, { after: 'echo done' }],
  [
    /^skyctl auth login$/,
    {
      answers: (_, { baseUrl, ownerToken }) => [
        step('? Base URL', baseUrl + enter),
        step('? Token', ownerToken + enter),
        step('? Name of the context', enter),
      ],
    },
  ],
  [
    /^skyctl profile phone setup/,
    {
      answers: () => [
        step('? Country', 'germ'),
        step('Germany (DE, +49)', enter),
        step('? Phone number in Germany (+49)', `030 1234567${enter}`),
        // The first code that the sandbox sends.
        step('? Code from the message', `462046${enter}`),
      ],
    },
  ],
  [/^skyctl profile security-questions answer$/, { answers: () => [...threeQuestions, confirm] }],
  [
    /^skyctl profile tfa setup/,
    {
      answers: (terminal) => [
        ...threeQuestions,
        step('Send these answers? (y/N)', `y${enter}`),
        step('? Code from the authenticator app', () => codeOn(terminal) + enter),
        step(/Is the scratch code saved\?.*\(y\/N\)/, `y${enter}`),
      ],
    },
  ],
  [
    /^skyctl tokens create$/,
    {
      answers: () => [
        step('? Label', `ci${enter}`),
        step('? What may it do?', down + enter),
        step('? When does it expire?', enter),
        confirm,
      ],
    },
  ],
]

export function setupOf(line: string): ExampleSetup {
  return Object.assign({}, ...arrangements.flatMap(([fits, arrangement]) => (fits.test(line) ? [arrangement] : [])))
}

/** Returns the rows that match no example. There should be none. */
export function unusedSetups(lines: readonly string[]): RegExp[] {
  return arrangements.map(([fits]) => fits).filter((fits) => !lines.some((line) => fits.test(line)))
}
