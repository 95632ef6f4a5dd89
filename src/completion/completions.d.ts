/** Type of the completion table, which the build writes to build/completions.json (package.json, imports). */
declare module '#completions' {
  const table: import('./table').CompletionTable
  export default table
}
