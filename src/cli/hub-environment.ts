/** Environment variables for the hub, with the names that its own tools use. */
const defaultEndpoint = 'https://huggingface.co'

export const hubEnvironmentHelp = `Environment:
  HF_ENDPOINT  Address of the hub or of a mirror.
               default ${defaultEndpoint}
  HF_TOKEN     Account token, for private and gated models.`

export interface HubEnvironment {
  readonly endpoint: string
  readonly token: string | undefined
  /** One line for each wrong variable. */
  readonly problems: readonly string[]
}

export function readHubEnvironment(environment: Readonly<NodeJS.ProcessEnv>): HubEnvironment {
  const endpoint = valueOf(environment.HF_ENDPOINT) ?? defaultEndpoint
  const token = valueOf(environment.HF_TOKEN)
  const problems = [
    ...(isAddress(endpoint) ? [] : ['HF_ENDPOINT: expected an http(s) address']),
    // A line break would start another header.
    ...(token === undefined || /^[\x21-\x7e]+$/.test(token)
      ? []
      : ['HF_TOKEN: expected printable characters without spaces']),
  ]
  return { endpoint, token, problems }
}

/** Shells and containers set an empty variable to mean "not set". */
const valueOf = (value: string | undefined) => (value?.trim() === '' ? undefined : value?.trim())

const isAddress = (address: string) =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
