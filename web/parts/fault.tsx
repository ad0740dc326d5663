/** Why there is no answer, and what to do: each state has words and a next step of its own. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestError } from '../lib/api.js'
import { whenBack } from '../lib/when-back.js'
import { query } from '../state/navigation.js'
import { retry as searchAgain } from '../state/search.js'
import { Countdown } from './countdown.js'
import { KeyForm } from './key-form.js'

interface FaultProps {
  readonly error: RequestError
  readonly onRetry?: () => void
}

export function Fault({ error, onRetry = searchAgain }: FaultProps) {
  const { kind, problem, waitSeconds } = error
  const again = (
    <button type="button" class="button" onClick={onRetry}>
      Try again
    </button>
  )
  if (kind === 'offline' && problem === undefined)
    return <Offline message={error.message} onRetry={onRetry} />
  if (waitSeconds !== undefined) {
    const title = kind === 'rate-limited' ? 'A little slower, please.' : 'The server is busy.'
    return (
      <State title={title}>
        <Countdown key={error.at} seconds={waitSeconds} onEnd={onRetry} />
      </State>
    )
  }
  if (kind === 'unauthorized' || kind === 'forbidden') {
    return (
      <State title="This server asks for a key.">
        <KeyForm message={error.message} onKey={onRetry} />
      </State>
    )
  }
  if (kind === 'invalid-request') {
    return (
      <State title="The server does not take this search.">
        <ul>
          {problem?.errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      </State>
    )
  }
  if (kind === 'not-found') {
    return (
      <State title="It is not here.">
        <p>{error.message}</p>
      </State>
    )
  }
  const command = commandFor(kind, error.message)
  return (
    <State title={titles[kind] ?? 'Something went wrong in the server.'}>
      <p>{error.message}</p>
      {command !== undefined && (
        <>
          <p>Whoever runs this server can mend it with</p>
          <pre tabIndex={0}>
            <code>{command}</code>
          </pre>
        </>
      )}
      {problem && (
        <p class="aside">
          The server’s log says more under <code>{problem.requestId}</code>.
        </p>
      )}
      {again}
    </State>
  )
}

function State({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <div class="state" role="alert">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

interface OfflineProps {
  readonly message: string
  readonly onRetry: () => void
}

function Offline({ message, onRetry }: OfflineProps) {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const follow = () => {
      setOnline(navigator.onLine)
      if (navigator.onLine) onRetry()
    }
    addEventListener('online', follow)
    addEventListener('offline', follow)
    const stop = whenBack(onRetry)
    return () => {
      removeEventListener('online', follow)
      removeEventListener('offline', follow)
      stop()
    }
  }, [onRetry])
  return (
    <State title={isOnline ? 'No answer.' : 'You are offline.'}>
      <p>
        {isOnline
          ? `${message} It may be restarting. This page goes on as soon as it is back.`
          : 'This page goes on as soon as there is a connection.'}
      </p>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </State>
  )
}

const titles: Readonly<Record<string, string>> = {
  'model-not-installed': 'The model for this search is not installed.',
  'embeddings-missing': 'This dataset is not ready for searches yet.',
  'embeddings-stale': 'The data have changed since they were prepared.',
  'dataset-missing': 'This server does not have this dataset.',
}

/** The command that the server's problem calls for. */
function commandFor(kind: string, message: string): string | undefined {
  const { dataset } = query.value
  if (kind === 'model-not-installed') return /`(synoptic [^`]+)`/.exec(message)?.[1]
  if (kind === 'dataset-missing') return `synoptic data import <mapping of ${dataset}>`
  const isAboutEmbeddings = kind.startsWith('embeddings-') || kind === 'dimension-mismatch'
  return isAboutEmbeddings ? `synoptic embed build --dataset ${dataset}` : undefined
}
