/** A script is imported as its text: esbuild knows how, and vitest.config.mts tells vitest. */

declare module '*.bash' {
  const text: string
  export default text
}

declare module '*.zsh' {
  const text: string
  export default text
}

declare module '*.fish' {
  const text: string
  export default text
}

declare module '*.ps1' {
  const text: string
  export default text
}
