import type { Answer, Operation } from '../catalogue/operation'
import type { Bounds, Call, Client } from '../http/client'

/** Reads all records of a list. */
export async function readAll<O extends Operation>(
  client: Client,
  list: O,
  call: Call & Bounds = {},
): Promise<Answer<O>[]> {
  const records: Answer<O>[] = []
  for await (const page of client.pages(list, call)) records.push(...page)
  return records
}
