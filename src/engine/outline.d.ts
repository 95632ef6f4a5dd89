/** Type of the outline of all commands, which the build writes to build/outline.json (package.json, imports). */
declare module '#outline' {
  const outline: Record<string, import('./command').Outline>
  export default outline
}
