import type { InputCheck } from '../prompt/questions'

/** Converts a validation function to a check for prompts. */
export const inputCheck =
  (fault: (text: string) => string | undefined): InputCheck =>
  (text) =>
    fault(text) ?? true
