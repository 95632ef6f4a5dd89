/** Topics about commands that change something. */

export const bulk = `Many at once

Commands with several targets, and --body with NDJSON, process 8 at a time,
and deletions 16 (--concurrency). They print results in input order: see skyctl
help output.

From ten targets or lines on, skyctl looks them up in one list instead of with a
request for each: labels, ids, labels in use, and the tag "protected". It relies
on the list for 10 seconds, then reads it again. So a volume that somebody
protects after the list was read can still be deleted in these 10 seconds. What
the list lacks, or has twice, is looked up by itself.

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
`

export const lockout = `Lockout

Before changing the rules, status or services of a firewall, skyctl compares the
allowed traffic before and after, over all addresses and ports. It prints the
difference on stderr before it asks, and with --dry-run:

  newly blocked at web-1, web-2: tcp/22 from 198.51.100.0/24
  newly allowed at front-1: tcp (but 22,443) from 0.0.0.0/0 but 203.0.113.7

A change that newly blocks traffic asks on a terminal; elsewhere it needs --yes:
rules add, move, update, edit and remove, firewalls create and enable, and
devices add. A change that blocks nothing does not ask, except rules edit and
remove, and rules update without the name of a rule.

plan and apply print the same as "cuts off" and "opens"; --json has it as data.
Long lists begin with SSH and other known ports, and are complete with -v. Only
the policy decides about "other protocols", such as GRE, ESP, AH and SCTP, which
no rule can name. A firewall that is disabled, or protects nothing, blocks
nobody. At a balancer, only inbound TCP is filtered. The effect of a rule is
unknown if its protocol is not TCP, UDP, ICMP or IPENCAP.

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
  --force
      Allow rules that filter no inbound traffic any more, although the firewall
      has the tag "protected".

None of this needs a DNS lookup.

Changes that must be confirmed

  --confirm-within TIME
      Ask afterwards whether to keep the change. skyctl restores the previous
      rules on "no", without an answer in this time, on Ctrl-C, and even if it
      is killed or its terminal is closed: a second process watches it. The
      time, 1s to 24h, begins with the first write.
  --keep-if COMMAND
      Keep the change only if this shell command succeeds in time (default 90s).
      skyctl runs it each second, without the token, until it exits with 0.

skyctl leaves later changes by others unchanged. A change that is not kept ends
with exit code 6. apply changes firewalls first, and everything else when their
rules are confirmed; only rules are restored. So apply refuses these flags, with
exit code 2, if the plan changes services or status of a firewall, or creates
one with services: put the rules into one apply, and these into another one.
`

export const wait = `Waiting

The API answers before a volume is ready. These flags wait for it:

  --wait               wait until the volume is active, attached or detached,
                       and print it in this state
  --wait-timeout TIME  how long to wait, such as 90s or 10m (default 5m), for
                       all targets together; SKYCTL_WAIT_TIMEOUT sets it for
                       all commands

If the time is over, the exit code is 10. The change itself is done: do not
repeat it, but wait on. The message has the command:

  skyctl volumes wait data --for active

--for is active, attached, detached or deleted. While it waits, skyctl tolerates
failures that may pass, such as a lost connection. Ctrl-C ends the wait, not the
change. apply always waits, and needs no --wait; each of its steps has the whole
time.

An instance that is busy, such as during a migration, refuses changes. skyctl
repeats them until --wait-timeout, also without --wait. If the instance is busy
even then, the exit code is 6, and nothing was changed. All attempts are one
change of the history.
`
