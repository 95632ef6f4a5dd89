/** Completion scripts are imported as text: by esbuild itself, and for tests by vitest.config.mts. */

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
