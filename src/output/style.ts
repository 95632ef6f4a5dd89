/** Colours of the output. Colour is never the only carrier of information. */
import type { Environment } from '../rules/environment'

export type Styling = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Styles = Readonly<Record<Styling, (text: string) => string>>

export interface ColorChoice {
  /** Value of `--color`. */
  flag: 'auto' | 'always' | 'never'
  env: Environment
  isTTY: boolean
}

/** Applies `--color`, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, then whether it is a terminal. */
export function colorWanted({ flag, env, isTTY }: ColorChoice): boolean {
  if (flag !== 'auto') return flag === 'always'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return env.TERM !== 'dumb' && isTTY
}

const plain = (text: string) => text

/** Returns functions that style a text. Without colour they return it unchanged, and chalk is not loaded. */
export async function styles(color: boolean): Promise<Styles> {
  if (!color) return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }
  const { Chalk } = await import('chalk')
  // Level 1 has the 16 colours of every theme; colorWanted has already decided on colour itself.
  return new Chalk({ level: 1 })
}
