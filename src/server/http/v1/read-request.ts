/** Reads a request of v1: larger bodies than elsewhere, and too many texts are refused before they are looked at. */
import type * as v from 'valibot'
import type { ServerSettings } from '../../../base/config/settings.js'
import { TooManyInputsError } from '../../../base/errors/index.js'
import type { AppContext } from '../env.js'
import { readJson } from '../read-json.js'

export type V1Limits = Pick<ServerSettings, 'v1BodyLimit' | 'v1MaxInputs'>

/**
 * @param members that hold the texts
 * @param count how many texts its value has
 * @throws what `readJson` throws, and TooManyInputsError
 */
export function readRequest<Schema extends v.GenericSchema>(
  c: AppContext,
  schema: Schema,
  { v1BodyLimit, v1MaxInputs }: V1Limits,
  members: string | readonly string[],
  count: (value: unknown) => number = countList,
): Promise<v.InferOutput<Schema>> {
  return readJson(c, schema, v1BodyLimit, {
    setting: '--v1-body-limit',
    inspect(body) {
      for (const member of [members].flat()) {
        const received = count(valueAt(body, member.split('.')))
        if (received > v1MaxInputs) throw new TooManyInputsError(member, received, v1MaxInputs)
      }
    },
  })
}

const countList = (value: unknown): number => (Array.isArray(value) ? value.length : 1)

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    body,
  )
}
