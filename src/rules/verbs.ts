/** The forms of the verbs of commands, all of which are regular: `delete`, `revoke`, `detach`. */

/** `deleted`, `detached`, `applied`. */
export const participle = (verb: string) => `${verb.replace(/e$/, '').replace(/y$/, 'i')}ed`

/** `Deleting`, `Detaching`, to begin a line. */
export function gerund(verb: string): string {
  const form = `${verb.replace(/e$/, '')}ing`
  return form.charAt(0).toUpperCase() + form.slice(1)
}
