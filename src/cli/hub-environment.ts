/** What the environment says of the hub, by the names that its own tools use. */
const defaultEndpoint = 'https://huggingface.co'

export const hubEnvironmentHelp = `Environment:
  HF_ENDPOINT  Address of the hub or of a mirror of it.
               default ${defaultEndpoint}
  HF_TOKEN     Token of an account, for private models and models with conditions.`

export interface HubEnvironment {
  readonly endpoint: string
  readonly token: string | undefined
  /** What is wrong with it. */
  readonly problems: readonly string[]
}

export function readHubEnvironment(environment: Readonly<NodeJS.ProcessEnv>): HubEnvironment {
  const endpoint = valueOf(environment.HF_ENDPOINT) ?? defaultEndpoint
  const token = valueOf(environment.HF_TOKEN)
  const problems = [
    ...(isAddress(endpoint) ? [] : ['HF_ENDPOINT: expected an http(s) address']),
    // A line end would become another header.
    ...(token === undefined || /^[\x21-\x7e]+$/.test(token)
      ? []
      : ['HF_TOKEN: expected printable characters without spaces']),
  ]
  return { endpoint, token, problems }
}

/** An empty variable is how shells and containers say "not set". */
const valueOf = (value: string | undefined) => (value?.trim() === '' ? undefined : value?.trim())

const isAddress = (address: string) =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
