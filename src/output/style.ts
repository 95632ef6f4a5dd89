/** Whether and how output is coloured. Colour never carries a meaning alone. */
import type { Environment } from '../rules/environment'

export type Styling = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Styles = Readonly<Record<Styling, (text: string) => string>>

export interface ColorChoice {
  /** What `--color` says. */
  flag: 'auto' | 'always' | 'never'
  env: Environment
  isTTY: boolean
}

/** `--color` wins; then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb; then whether it is a terminal. */
export function colorWanted({ flag, env, isTTY }: ColorChoice): boolean {
  if (flag !== 'auto') return flag === 'always'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return env.TERM !== 'dumb' && isTTY
}

const plain = (text: string) => text

/** Functions that style a text, or leave it as it is where colour is off: then chalk is not loaded. */
export async function styles(color: boolean): Promise<Styles> {
  if (!color) return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }
  const { Chalk } = await import('chalk')
  // The 16 colours that every theme defines; whether there is colour at all was decided by colorWanted.
  return new Chalk({ level: 1 })
}
