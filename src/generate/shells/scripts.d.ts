/** Scripts are imported as text: esbuild by its loader, and vitest by vitest.config.mts. */

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
