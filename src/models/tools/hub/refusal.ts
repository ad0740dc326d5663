/** What a hub's refusal means, and what can be done about it. */
import { Refusal, waitOf } from '../../../base/download/refusal.js'
import type { UpstreamErrorCode } from '../../../base/errors/index.js'

/** @param what names the request, e.g. `config.json of owner/name at main` */
export function refusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  what: string,
  host: string,
  hasToken: boolean,
): Refusal {
  const refused = (code: UpstreamErrorCode, why: string) =>
    new Refusal(code, `${host} refused ${what} (${status}): ${why}`, status, waitOf(headers))
  if (status === 401) {
    return refused(
      'ESTATUS',
      hasToken
        ? 'expected a valid HF_TOKEN; or there is no such repository'
        : 'there is no such repository, or it is private and HF_TOKEN has to be set',
    )
  }
  if (status === 403) {
    return refused(
      'ESTATUS',
      hasToken
        ? 'the account of HF_TOKEN may not read it; ask for access on the page of the repository'
        : 'it is only for some accounts; ask for access on its page, and set HF_TOKEN',
    )
  }
  if (status === 404) return refused('ESTATUS', absent(headers.get('x-error-code')))
  if (status === 429) {
    return refused('EDEADLINE', `too many requests${describeWait(headers)}; HF_TOKEN raises limits`)
  }
  if (status >= 500) return refused('ESERVER', 'the hub has a fault of its own; try again later')
  return refused('ESTATUS', 'expected 200 or a redirect')
}

function absent(code: string | null): string {
  if (code === 'RevisionNotFound')
    return 'the repository has no such revision; --revision main takes what is there now'
  if (code === 'EntryNotFound') return 'the revision has no such file'
  return 'there is no such repository, revision or file'
}

function describeWait(headers: Headers): string {
  const waitMs = waitOf(headers)
  return waitMs === undefined ? '' : `, again after ${Math.ceil(waitMs / 1000)} s`
}
