/** Texts of `skyctl help TOPIC`, for facts about several commands. */
import { exitCodes } from '../../errors'
import { meanings } from '../../generate/exit-codes'
import { formatNames, formats } from '../../output/formats'
import { keysOf } from '../../rules/records'
import { variables } from '../../rules/variables'

const exits = keysOf(exitCodes).map((code) => `  ${String(exitCodes[code]).padStart(3)}  ${meanings[code]}`)

const variableLines = variables.map(({ name, description }) => `  ${name.padEnd(19)} ${description}`)

const formatLines = formatNames.map((name) => `    ${name.padEnd(6)}  ${formats[name].description}`)

export const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

    0  done, also where a list is empty
${exits.join('\n')}

With --json a failure is one object on stderr: {"error": {"code", "message",
"exit_code", "status", "errors", "request", "retryable", "hint", "created"}}.
"retryable" is true only where the same command line, run again, can do nothing
twice; "created" names what was made before the failure, and stands.
`,
  environment: `Environment

${variableLines.join('\n')}
  VISUAL, EDITOR      editor of the commands edit
  SSH_CONNECTION      the way in that is not to be closed: skyctl help lockout
  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb
                      colour; --color wins over them
  HTTPS_PROXY         proxy to the service, as http://proxy.example.net:3128
  NO_PROXY            hosts that are reached without it: example.net,10.0.0.0/8
  NODE_EXTRA_CA_CERTS file with further certificate authorities;
                      NODE_TLS_REJECT_UNAUTHORIZED=0 is refused

A flag wins over the environment, the environment over the context. A context
that is named by flag goes by its own address and token, and "sandbox" needs
neither; SKYCTL_TOKEN goes no further than SKYCTL_BASE_URL where that is set.
What is overridden or not used is said in one line on stderr, and so is a
variable that begins with SKYCTL_ and is none of these. An empty one is not set.
A variable takes what its flag takes; true, yes and on are 1, false, no and off
are 0. Only one of SKYCTL_TOKEN and SKYCTL_TOKEN_FILE may be set. Programs that
skyctl starts, an editor or a token command, do not see SKYCTL_TOKEN.

In a container: SKYCTL_BASE_URL and SKYCTL_TOKEN_FILE are all that is needed. No
home, no user name and no folder that can be written has to be there; what does
need a file (contexts, the sandbox, edit, rules undo) says so with exit code 12.
`,
  bulk: `Many at once

Verbs on several targets, and --body with NDJSON, do 8 at a time (--concurrency)
and tell of them in the order of the input: see skyctl help output.

A body a line

Where a file, or stdin, holds an object on each of several lines, each line is a
body of its own: volumes create, ips rdns ({"address": ..., "rdns": ...}), and
firewalls rules add, which adds all of them to each firewall in one change. One
object, also over several lines, is one body. Flags win in every line. All lines
are checked before anything is sent; what is wrong is told with its field and
line. A label on two lines needs --allow-duplicate, or --if-absent, which makes
it once.

Going on after a crash

  --journal FILE    keep in a new file what is done; it is on the disk that a
                    request will be sent before that leaves
  --resume FILE     the same command line with this instead goes on: what is
                    done is not done again, but printed again; what had failed
                    is tried again. What came from stdin is in the file: give
                    it again, or nothing (< /dev/null). The file of another
                    command, input or account is refused, with exit code 2
  --resend-unknown  send again what may have been sent, where nothing new has
                    its label

Where a run was killed between a request and its answer, the next one looks. A
volume that was not there before, was created since and is as it was asked for
is ours. Where that cannot be known it is told as unknown (exit code 11, or 9
with others), and is not sent again until --resend-unknown says so. The file
holds names, ids and answers, and no secrets; only you can read it.

Time

--timeout bounds each request with its retries, not all of them together. After
Ctrl-C what is under way is seen to its end, and what was done is printed whole.
`,
  lockout: `Who is cut off

Before changing the rules, status or services of a firewall, skyctl compares the
allowed traffic before and after, over all addresses and ports. It prints the
difference on stderr before it asks, and with --dry-run:

  newly blocked at web-1, web-2: tcp/22 from 198.51.100.0/24
  newly allowed at front-1: tcp (but 22,443) from 0.0.0.0/0 but 203.0.113.7

plan and apply say the same as "cuts off" and "opens", and --json has it as data.
A firewall that is disabled, or protects nothing, cuts nobody off. At a balancer
inbound TCP only is filtered. Of a rule whose protocol is none of TCP, UDP, ICMP
and IPENCAP it is said that what it does cannot be judged.

A change that takes a rule away, and closes nothing by that, is warned of:

  tcp/5432 from 0.0.0.0/0, ::/0 is still allowed by the inbound policy

What must stay open

  --keep-open tcp/22@198.51.100.7
      Nothing is sent, with exit code 6 (locked_out), where the rules after the
      change would block this, whether it was open before or not, and also where
      the firewall is disabled or protects nothing yet. It is
      PROTOCOL[/PORTS][@NETWORKS], as udp/53,5353@2001:db8::/32,192.0.2.7;
      without ports all of them are meant, without networks everybody. Repeat it.
  skyctl context update NAME --keep-open tcp/22@198.51.100.7
      The same for every change in that context, where it would close what is
      open; what is closed already is let be. --keep-open goes before it.
  SSH_CONNECTION
      Set by sshd for who works on an instance: the way in by which you came is
      kept in the same way, if its end is an address of an instance that the
      firewall protects, or the addresses of the account cannot be read.
  --allow-lockout
      Close it all the same.

No name is looked up for any of this.
`,
  output: `Output

stdout holds the data that was asked for and nothing else; messages, warnings
and prompts go to stderr.

  --output FORMAT, -o FORMAT, --json
${formatLines.join('\n')}
  --columns id,label   fields, in this order; "all" for every field; --format is
                       the same flag
  --no-headers         without the header line
  --sort region,-size  sort a list, by the next field where one is the same; a
                       leading - reverses; the flag may be repeated
  --filter TEST        keep what passes; repeat it, and all must hold: see below
  --query EXPRESSION   JMESPath over the JSON; with -o tsv a string prints raw
  --quiet              just the ids, a line each, for xargs

A list reads every page; --limit, --page and --page-size bound it. A page that
fails fails the command. A table fits the terminal; piped it is plain and whole.
On a terminal, times are relative in a list, and local with their zone where one
record is shown; everywhere else they are as the service sent them, in UTC.

One document

With --json every command that succeeds prints one JSON document on stdout: {}
where there is nothing to tell, [] where a list is empty. docs/schemas, which is
in the package, has a JSON Schema of each. Help is one document too, with every
command, flag and exit code: skyctl help --json.
On stderr each line is an object then: {"warning": {"message": ...}}, with -v
{"note": ...}, with --debug {"debug": ...}, and where it fails {"error": ...} as
the last line, so that this is why: skyctl ... 2>&1 >/dev/null | tail -n 1 | jq
.error. Only what a person is asked on a terminal stands there as text. A line
that asks for JSON anywhere is told in JSON what is wrong with it.

Several targets

They are done 8 at a time (--concurrency) and told in the order in which they
were named; the rest is done after a failure. The last line on stderr is the
summary, 4 of 5 deleted, and the exit code is 9 where some failed. A service
that is gone ends it at once: the rest fails untried. With json, yaml or ndjson
each has a record, in the same order:

  done     the object that the service answers with, and "ok":true; where it
           answers {}, {"id":3001,"label":"data","ok":true}
  failed   {"id":3002,"label":null,"ok":false,"error":{...}}; null is what is
           not known. Where it was done and only the wait for it failed, the
           object, with "ok":false and the error

So jq '.[] | select(.ok | not)' has what failed. A single target has no "ok": it
is what the service answers. csv, tsv and --quiet have the objects of those that
were done, tables of those that did not fail.

Filters

A test is a field, an operator and a value: = != > >= < <= or ~, which is
"contains", in letters of either case. What the field holds decides what may
stand there; what cannot be compared is refused, with exit code 2.

  numbers     id>3000, size>=40; a size is in GiB, or size>100GB, size<1.5TiB:
              KB MB GB TB are decimal, KiB MiB GiB TiB binary
  booleans    public=true, public!=yes; true, yes, false, no
  times       created<2026-12-01, created=2026-11-18 (all of that day, in UTC),
              created>=2026-11-18T09:30:00+01:00
  ages        created>7d: more than 7 days ago; created<12h: within 12 hours
  expiry      expiry<14d: less than 14 days are left, or none; expiry>0d: not
              over; expiry=none: never. Units: w d h m s, as in 1h30m
  addresses   address=2001:DB8::1 in any spelling, address!=192.0.2.0/24 not in
              that network, address=192.0.2.10-192.0.2.20
  texts       label=web, region!=us-east, status=active, label~data; there is no
              > or <. Quotes keep blanks and the like: label=" a", rdns=""
  lists       tags=web: a member is; tags!=web: none is; tags~we: one contains
  none        compute_id=none: there is no value; compute_id!=none: there is
              one; tags=none: the list is empty; tags="none": the text

What has no value passes =none and != only. A shell takes > and < for itself:
write --filter 'size>=40'. --sort orders by what the field holds as well, and
puts what has no value last.

Fields that are new

--columns, --sort and --filter also take a field that is not known here: the
first records show whether they have it. A filter compares what the JSON holds
there: numbers, texts, true and false. Where there are no records, a warning
says that nothing could be looked at. What changes something takes known fields
only. Integers are exact beyond 2^53, in --filter, --sort and --query as well.
`,
  references: `References to objects

  123          an id: a whole number from 1
  data         a label; it must match exactly
  id:123       an id, whatever it looks like
  label:123    a label, whatever it looks like
  -            read them from stdin, a line each

Where nothing matches, the exit code is 5 and near names are told. Where several
objects have the label, it is 6 and their ids are told. With several targets the
rest is done after a failure, and the exit code is 9. Regions are named by their
ids, such as us-east.
`,
}
