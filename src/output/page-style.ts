/** Style sheet of HTML pages: for phones, wide screens and paper, light and dark. */

/** Colors of both schemes. A test checks the contrast of each text with its background in pages. */
const light = `
    --back: #ffffff; --raised: #f5f6f8; --line: #d9dde3; --text: #1a1e24; --quiet: #566070; --link: #0a58b5;
    --red: #a8201a; --red-back: #fdeceb; --amber: #7a4a00; --amber-back: #fff3d9;
    --green: #0b6531; --green-back: #e4f5ea; --blue: #0a4f9e; --blue-back: #e8f1fc;`
const dark = `
    --back: #13161b; --raised: #1c2027; --line: #363d48; --text: #e7eaee; --quiet: #a4aebb; --link: #8cbaff;
    --red: #ff9f97; --red-back: #3b1c1b; --amber: #f1c074; --amber-back: #35290f;
    --green: #85d9a3; --green-back: #16301f; --blue: #9cc6ff; --blue-back: #172a43;`

/** Media query of windows that are too narrow for tables. */
export const onPhones = 'screen and (max-width: 50rem)'

export const pageStyle = `
  :root { color-scheme: light dark; ${light}
  }
  @media (prefers-color-scheme: dark) { :root { ${dark}
  } }

  * { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
  body {
    max-width: 72rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 3rem;
    background: var(--back); color: var(--text);
    font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    overflow-wrap: anywhere;
  }
  h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
  h1 { font-size: 1.75rem; letter-spacing: -0.015em; }
  h2 { font-size: 1.25rem; margin: 2.75rem 0 0.75rem; }
  h3 { font-size: 1.0625rem; margin: 1.75rem 0 0.5rem; }
  h4 { font-size: 1rem; margin: 1rem 0 0.25rem; }
  p, ul, ol, dl { margin: 0.5rem 0; }
  ul, ol { padding-left: 1.25rem; }
  a { color: var(--link); text-underline-offset: 0.15em; }
  small, .quiet { color: var(--quiet); }
  small { font-size: 0.875em; font-weight: 400; }
  code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
  header nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1rem; }
  footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }

  /* A list of values without bullets, one below the other. */
  .lines { list-style: none; padding: 0; margin: 0; }
  .addresses { min-width: 17.5rem; font-variant-numeric: tabular-nums; }

  /* Figures: a number above its name. */
  .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0; }
  .figures div { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--raised); }
  .figures dt { color: var(--quiet); font-size: 0.875rem; }
  .figures dd { margin: 0; font-size: 1.375rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
  .figures dd small { font-weight: 400; }

  /* Words that stand out. The color repeats what the word says. */
  .badge {
    display: inline-block; padding: 0 0.5em; border-radius: 1em; font-size: 0.8125rem; font-weight: 600; line-height: 1.6;
    color: var(--quiet); background: var(--raised); border: 1px solid transparent;
  }
  .critical, .high, .delete, .exposed { color: var(--red); background: var(--red-back); }
  .medium, .update, .warning { color: var(--amber); background: var(--amber-back); }
  .low { color: var(--blue); background: var(--blue-back); }
  .create { color: var(--green); background: var(--green-back); }
  .notice { margin: 1rem 0; padding: 0.5rem 1rem; border-left: 0.25rem solid; border-radius: 0.25rem; }
  .notice p, .notice ul { margin: 0.125rem 0; }

  table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
  caption { text-align: left; color: var(--quiet); padding-bottom: 0.5rem; }
  th, td { padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
  th, td { min-width: 5.5rem; }
  th { font-weight: 600; }
  thead th { color: var(--quiet); font-size: 0.8125rem; font-weight: 500; }
  th[scope="rowgroup"] { padding-top: 1.5rem; font-size: 1rem; }
  .number { font-variant-numeric: tabular-nums; white-space: nowrap; }

  /* A command to paste: one click selects all of it. */
  .command {
    display: block; margin: 0.25rem 0; padding: 0.375rem 0.75rem; border-radius: 0.375rem; background: var(--raised);
    white-space: pre-wrap; user-select: all; -webkit-user-select: all;
  }
  .command.other::before { content: "or "; color: var(--quiet); }
  .problem { margin: 0.5rem 0 1.25rem; }
  summary { cursor: pointer; }
  summary > h3 { display: inline-block; }
  .card { margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
  .card h3 { margin: 0; }
  .card code { white-space: pre-wrap; }
  .card .notice { margin: 0.5rem 0; }
  .card tr:last-child > * { border-bottom: 0; }

  /* On a phone, each row is a block, and each cell has its heading beside it. */
  @media ${onPhones} {
    table, caption, tbody, tr, th, td { display: block; min-width: 0; }
    thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    tbody tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
    tbody th, tbody td { padding: 0.125rem 0; border: 0; }
    tbody td { position: relative; padding-left: 7.75rem; min-height: 1.75rem; }
    td::before {
      position: absolute; left: 0; color: var(--quiet); font-size: 0.8125rem; line-height: 1.8;
    }
    td:empty { display: none; }
    .addresses { min-width: 0; font-size: 0.8125rem; line-height: 1.7; }
    .card tr:last-child { border-bottom: 0; padding-bottom: 0; }
  }

  @page { margin: 15mm; }
  @media print {
    :root { color-scheme: light; font-size: 10pt; ${light}
    }
    body { max-width: none; padding: 0; }
    header nav { display: none; }
    a { color: inherit; text-decoration: none; }
    h2, h3, h4, summary, thead, th[scope="rowgroup"] { break-after: avoid; }
    tr, .card, .problem, .figures div { break-inside: avoid; }
    details::details-content { content-visibility: visible; height: auto; block-size: auto; }
    summary { list-style: none; }
    .badge, .notice, .command, .figures div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  }
`
