/** Short JSON documents of package feeds. */
import * as v from 'valibot'
import { connect } from '../../base/download/connect.js'
import { type RetryOptions, withRetries } from '../../base/download/retry.js'
import { UpstreamError } from '../../base/errors/index.js'

export interface DescriptionOptions extends RetryOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly stallMs?: number
}

/** Those of a package with all its versions are the longest, some hundred kilobytes. */
const maxBytes = 16 * 2 ** 20

/** @param kind what the document is, for messages */
export async function readDescription<const Schema extends v.GenericSchema>(
  address: string,
  schema: Schema,
  kind: string,
  options: DescriptionOptions,
): Promise<v.InferOutput<Schema>> {
  if (!URL.canParse(address)) throw unexpected(address, 'the address of a description')
  const url = new URL(address)
  const text = await withRetries(async () => {
    const reply = await connect(url, { ...options, what: url.pathname })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of reply.body()) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) throw unexpected(address, 'a short description')
    }
    return Buffer.concat(chunks).toString('utf8')
  }, options)
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (result.success) return result.output
  const [{ message }] = result.issues
  throw unexpected(address, `the JSON of ${kind} (${message})`)
}

export const unexpected = (where: string, what: string) =>
  new UpstreamError('EBODY', `${where}: expected ${what}, received something else`)
