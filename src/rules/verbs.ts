/** The forms of the verbs of commands, all of which are regular: `delete`, `revoke`, `detach`. */

/** `deleted`, `detached`. */
export const participle = (verb: string) => (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)

/** `Deleting`, `Detaching`, to begin a line. */
export function gerund(verb: string): string {
  const form = `${verb.replace(/e$/, '')}ing`
  return form.charAt(0).toUpperCase() + form.slice(1)
}
