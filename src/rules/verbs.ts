/** Word forms of the commands' verbs, which are all regular but `undo`: `delete`, `revoke`, `detach`. */

/** Returns the past participle: `deleted`, `detached`, `applied`, `undone`. */
export const participle = (verb: string) =>
  verb === 'undo' ? 'undone' : `${verb.replace(/e$/, '').replace(/y$/, 'i')}ed`

/** Returns the gerund for the start of a line: `Deleting`, `Detaching`. */
export function gerund(verb: string): string {
  const form = `${verb.replace(/e$/, '')}ing`
  return form.charAt(0).toUpperCase() + form.slice(1)
}
