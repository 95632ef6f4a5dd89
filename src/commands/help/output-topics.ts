/** Topics about what commands print. */
import { pageSizes } from '../../catalogue/paging'
import { type FormatName, formatNames, formats } from '../../output/formats'

const nameWidth = Math.max(...formatNames.map(({ length }) => length))
const formatLines = formatNames.map((name) => `    ${name.padEnd(nameWidth)}  ${formats[name].description}`)

/** Lists the formats that pass a test: `ndjson, csv and tsv`. */
function formatList(passes: (format: (typeof formats)[FormatName]) => boolean, conjunction: 'and' | 'or'): string {
  const names = formatNames.filter((name) => passes(formats[name]))
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

export const output = `Output

stdout has only the requested data; messages, warnings and prompts go to stderr.

  --output FORMAT, -o FORMAT, --json
${formatLines.join('\n')}
  --columns id,label   fields, in this order; "all" for every field; --format is
                       the same flag
  --no-headers         without the header line
  --sort region,-size  sort a list by several fields; a leading - reverses; the
                       flag is repeatable
  --filter TEST        keep matching items: skyctl help filter
  --query EXPRESSION   JMESPath over the JSON: --query 'sum([].size)'; with -o
                       tsv a string prints raw
  --raw                do not escape csv and tsv cells that a spreadsheet would
                       run as formulas
  --quiet              only the ids, one on each line, for xargs

Paging

A list reads every page, several at once. If a page fails, the command fails.

  --limit N            print at most N results
  --page N             read this page only
  --page-size N        results per request; the API documents ${pageSizes.smallest} to ${pageSizes.largest}
  --concurrency N      pages to read at once (default 8)
  --max-memory SIZE    limit for what is held before it is printed
                       (default 512MiB)

${formatList(({ writer }) => writer.streams, 'and')} print records as they are read; --sort, --query and the
other formats hold the list. One that is too large fails after its first page.

Tables

A table fits the terminal; in a pipe it is plain and
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

skyctl finds all targets before it changes the first: if one does not exist, it
changes none. It processes 8 at a time, or deletes 16 (--concurrency), prints
results in their order, and goes on after a failure. The last line on stderr is
the summary, such as 4 of 5 deleted; the exit code is 9 if some failed. If the
service is unreachable, the remaining targets fail at once. Each target has a
record with ${formatList(({ kind }) => kind === 'data', 'or')}, in the same order:

  done     the answer of the service with "ok":true; for an empty answer
           {"id":3001,"label":"data","ok":true}
  failed   {"id":3002,"label":null,"ok":false,"error":{...}}; null is an unknown
           value. If only the wait failed: the answer with "ok":false and the
           error

So jq '.[] | select(.ok | not)' prints the failures. A single target has no
"ok": its record is the answer of the service. csv, tsv and --quiet have the
completed targets, tables those without a failure.

New fields

--columns, --sort and --filter also accept fields that this version does not
know: the first records show whether they exist. A filter then compares the JSON
values: numbers, texts, true and false. Without records, skyctl warns that it
could not check the field. Commands that change something accept only known
fields. Integers beyond 2^53 are printed and sorted exactly, but --filter and
--query compare and calculate with doubles, which hold about 16 digits.
`

export const filter = `Filters

--filter keeps matching items of a list. If repeated, all tests must match:

  skyctl volumes list --filter compute_id=none --filter 'created>30d'

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
`
