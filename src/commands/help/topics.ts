/** Texts of `skyctl help TOPIC`, for facts about several commands. */
import { exitCodes } from '../../errors'
import { meanings } from '../../generate/exit-codes'
import { formatNames, formats } from '../../output/formats'
import { variables } from '../../rules/environment'
import { keysOf } from '../../rules/records'

const exits = keysOf(exitCodes).map((code) => `  ${String(exitCodes[code]).padStart(3)}  ${meanings[code]}`)

const variableLines = variables.map(({ name, description }) => `  ${name.padEnd(19)} ${description}`)

const formatLines = formatNames.map((name) => `    ${name.padEnd(6)}  ${formats[name].description}`)

export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

    0  success, also for an empty list
${exits.join('\n')}

With --json a failure is one object on stderr: {"error": {"code", "message",
"exit_code", "status", "errors", "request", "retryable", "hint", "created"}}.
"retryable" is true only if the same command can be repeated and does nothing
twice. "created" has what the command created before the failure.
`,
  environment: `Environment

${variableLines.join('\n')}
  VISUAL, EDITOR      editor of the commands edit
  PAGER               pager without SKYCTL_PAGER (default: less)
  LC_ALL, LC_CTYPE, LANG
                      the first that is set is the locale
  SSH_CONNECTION      access that changes must not block: skyctl help lockout
  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb
                      colour; --color overrides them
  HTTPS_PROXY         proxy to the service, as http://proxy.example.net:3128
  NO_PROXY            hosts without the proxy: example.net,10.0.0.0/8
  NODE_EXTRA_CA_CERTS file with additional certificate authorities;
                      skyctl rejects NODE_TLS_REJECT_UNAUTHORIZED=0

A flag overrides the environment, and the environment overrides the context. A
context named by a flag uses its own address and token; "sandbox" needs neither.
If SKYCTL_BASE_URL is set, skyctl sends SKYCTL_TOKEN only to that address. It
warns on stderr about overridden and ignored settings, and about unknown
variables that begin with SKYCTL_. An empty variable is not set, except for the
pager. A variable has the values of its flag; true, yes and on are 1, and false,
no and off are 0. Set only one of SKYCTL_TOKEN and SKYCTL_TOKEN_FILE. Programs
that skyctl starts, such as an editor or a token command, do not get
SKYCTL_TOKEN.

Commands that only read send output that is longer than the terminal through the
pager. An empty pager, cat and TERM=dumb turn it off. If LESS is not set, it is
FRX; if LV is not set, it is -c.

skyctl draws only ASCII unless the locale is UTF-8. If none is set, it is C, as
in POSIX, since the terminal may not show other characters; on Windows it is
UTF-8. Text of the service is printed in any locale.

A container needs only SKYCTL_BASE_URL and SKYCTL_TOKEN_FILE: no home, no user
name and no writable folder. Commands that need a file (contexts, the sandbox,
edit, rules undo) end with exit code 12 without one.
`,
  bulk: `Many at once

Commands with several targets, and --body with NDJSON, process 8 at a time
(--concurrency). They print results in input order: see skyctl help output.

NDJSON

If a file or stdin has an object on each of several lines, each line is a body
of its own. This works for volumes create, for ips rdns ({"address": ...,
"rdns": ...}), and for firewalls rules add, which adds all of them to each
firewall in one change. A single object is one body, also over several lines.
Flags override every line. skyctl checks all lines before it sends anything, and
reports problems with field and line. A label on two lines needs
--allow-duplicate, or --if-absent, which creates it once.

Continuing after a crash

  --journal FILE    record progress in a new file; it is on disk before each
                    request is sent
  --resume FILE     run the same command line with this flag to continue: skyctl
                    prints what is done without repeating it, and retries what
                    failed. The file holds the stdin of the first run: pass it
                    again, or nothing (< /dev/null). skyctl rejects the file of
                    another command, input or account with exit code 2
  --resend-unknown  resend requests of unknown outcome if nothing new has their
                    label

After a run that was killed between a request and its answer, the next run
checks the result. A volume belongs to the request if it did not exist before,
was created since and matches the request. Otherwise the outcome is unknown
(exit code 11, or 9 with others), and only --resend-unknown sends the request
again. The file has names, ids and answers, but no secrets. Only you can read
it.

Time

--timeout limits each request with its retries, not the whole command. After
Ctrl-C, skyctl completes the requests that it has sent, and prints the results.
`,
  lockout: `Lockout

Before changing the rules, status or services of a firewall, skyctl compares the
allowed traffic before and after, over all addresses and ports. It prints the
difference on stderr before it asks, and with --dry-run:

  newly blocked at web-1, web-2: tcp/22 from 198.51.100.0/24
  newly allowed at front-1: tcp (but 22,443) from 0.0.0.0/0 but 203.0.113.7

plan and apply print the same as "cuts off" and "opens"; --json has it as data.
A firewall that is disabled, or protects nothing, blocks nobody. At a balancer,
only inbound TCP is filtered. The effect of a rule is unknown if its protocol is
not TCP, UDP, ICMP or IPENCAP.

skyctl warns about a removed rule if its traffic stays allowed:

  tcp/5432 from 0.0.0.0/0, ::/0 is still allowed by the inbound policy

Access that must stay open

  --keep-open tcp/22@198.51.100.7
      Sends nothing, with exit code 6 (locked_out), if the rules after the
      change would block this traffic. It does not matter whether it was allowed
      before, or whether the firewall is disabled or protects nothing yet. The
      format is PROTOCOL[/PORTS][@NETWORKS], as udp/53@2001:db8::/32,192.0.2.7;
      without ports it means all ports, without networks everybody. Repeatable.
  skyctl context update NAME --keep-open tcp/22@198.51.100.7
      The same for every change in that context that would block allowed
      traffic. The flag --keep-open overrides it.
  SSH_CONNECTION
      sshd sets it if you work on an instance. skyctl keeps your connection open
      in the same way, if its end is an address of an instance that the firewall
      protects, or if skyctl cannot read the addresses of the account.
  --allow-lockout
      Allow the change anyway.

None of this needs a DNS lookup.
`,
  output: `Output

stdout has only the requested data; messages, warnings and prompts go to stderr.

  --output FORMAT, -o FORMAT, --json
${formatLines.join('\n')}
  --columns id,label   fields, in this order; "all" for every field; --format is
                       the same flag
  --no-headers         without the header line
  --sort region,-size  sort a list by several fields; a leading - reverses; the
                       flag is repeatable
  --filter TEST        keep matching items; if repeated, all tests must match:
                       see below
  --query EXPRESSION   JMESPath over the JSON; with -o tsv a string prints raw
  --quiet              only the ids, one on each line, for xargs

A list reads every page; --limit, --page and --page-size limit it. If a page
fails, the command fails. A table fits the terminal; in a pipe it is plain and
complete. On a terminal, times are relative in a list, and local with their zone
for a single record. Everywhere else they are in UTC, as the service sends them.

JSON

With --json every successful command prints one JSON document on stdout: {} if
there is no data, [] for an empty list. The package has a JSON Schema for each
in docs/schemas. Help is one document, too, with every command, flag and exit
code: skyctl help --json.
On stderr each line is an object: {"warning": {"message": ...}}, with -v
{"note": ...}, with --debug {"debug": ...}, and {"error": ...} as the last line
of a failure. This prints the error: skyctl ... 2>&1 >/dev/null | tail -n 1 | jq
.error. Only questions on a terminal are text. If a command line requests JSON
anywhere, usage errors are JSON, too.

Several targets

skyctl processes 8 at a time (--concurrency), prints results in the order of the
targets, and continues after a failure. The last line on stderr is the summary,
such as 4 of 5 deleted; the exit code is 9 if some failed. If the service is
unreachable, the remaining targets fail at once. With json, yaml or ndjson each
target has a record, in the same order:

  done     the answer of the service with "ok":true; for an empty answer
           {"id":3001,"label":"data","ok":true}
  failed   {"id":3002,"label":null,"ok":false,"error":{...}}; null is an unknown
           value. If only the wait failed: the answer with "ok":false and the
           error

So jq '.[] | select(.ok | not)' prints the failures. A single target has no
"ok": its record is the answer of the service. csv, tsv and --quiet have the
completed targets, tables those without a failure.

Filters

A test is a field, an operator and a value: = != > >= < <= or ~, which means
"contains" and ignores case. The type of the field decides which values are
valid; skyctl rejects others with exit code 2.

  numbers     id>3000, size>=40; a size is in GiB, or size>100GB, size<1.5TiB:
              KB MB GB TB are decimal, KiB MiB GiB TiB binary
  booleans    public=true, public!=yes; true, yes, false, no
  times       created<2026-12-01, created=2026-11-18 (all of that day, in UTC),
              created>=2026-11-18T09:30:00+01:00
  ages        created>7d: more than 7 days ago; created<12h: within 12 hours
  expiry      expiry<14d: less than 14 days left, or expired; expiry>0d: not
              expired; expiry=none: never. Units: w d h m s, as in 1h30m
  addresses   address=2001:DB8::1 in any spelling, address!=192.0.2.0/24 not in
              that network, address=192.0.2.10-192.0.2.20
  texts       label=web, region!=us-east, status=active, label~data; > and <
              are not allowed. Quotes keep spaces: label=" a", rdns=""
  lists       tags=web: a member is equal; tags!=web: no member is; tags~we: a
              member contains it
  none        compute_id=none: there is no value; compute_id!=none: there is
              one; tags=none: the list is empty; tags="none": the text

A missing value matches only =none and !=. A shell interprets > and <, so write
--filter 'size>=40'. --sort also orders by type, with missing values last.

New fields

--columns, --sort and --filter also accept fields that this version does not
know: the first records show whether they exist. A filter then compares the JSON
values: numbers, texts, true and false. Without records, skyctl warns that it
could not check the field. Commands that change something accept only known
fields. Integers are exact beyond 2^53, also in --filter, --sort and --query; a
query compares them, but does not calculate with them.
`,
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
}
