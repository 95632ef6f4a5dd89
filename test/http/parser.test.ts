/** Compilation of undici's HTTP parser in an executable of bun. */
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import { test } from '../support/skyctl'

vi.mock(import('node:process'), async (original) => {
  const process = await original()
  return { ...process, versions: { ...process.versions, bun: '1.4.5' } }
})
// Other files share the modules of this process: loads them again with the mock, and afterwards without it.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('node:process')
  vi.resetModules()
})

/** Header of an empty module. */
const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
const other = new WebAssembly.Module(empty)

test.for([
  ['the one compiled before', async () => other, true],
  ['compiled from the bytes if that failed', () => Promise.reject(new Error('no memory')), false],
  ['compiled from the bytes if that takes longer', () => new Promise<object>(() => {}), false],
] as const)('The module that undici constructs is $0', async ([, compile, isOther]) => {
  const compiling = vi.spyOn(WebAssembly, 'compile').mockImplementation(compile)
  onTestFinished(() => compiling.mockRestore())
  vi.resetModules()
  const { parserCompiler } = await import('../../src/http/parser')
  await vi.waitFor(() => expect(compiling).toHaveBeenCalledOnce())
  const { Module } = WebAssembly
  const { connect } = await parserCompiler()
  const constructed: object[] = []
  connect(() => void constructed.push(new WebAssembly.Module(empty)))
  expect(constructed.map((module) => [module instanceof Module, module === other])).toEqual([[true, isOther]])
  expect(WebAssembly.Module).toBe(Module)
  // The bytes are the module that undici would compile itself: they have its header.
  expect(String(compiling.mock.calls[0]?.[0].subarray(1, 4))).toBe('asm')
})
