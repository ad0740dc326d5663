/** Why a search failed, and what to do: each state has its own words and its own next step. */
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
    const title = kind === 'rate-limited' ? 'Too many searches.' : 'The server is busy.'
    return (
      <State title={title}>
        <Countdown key={error.at} seconds={waitSeconds} onEnd={onRetry} />
      </State>
    )
  }
  if (kind === 'unauthorized' || kind === 'forbidden') {
    return (
      <State title="This server needs a key.">
        <KeyForm message={error.message} onKey={onRetry} />
      </State>
    )
  }
  if (kind === 'invalid-request') {
    return (
      <State title="This search is not possible.">
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
      <State title="Not found.">
        <p>{error.message}</p>
      </State>
    )
  }
  const command = commandFor(kind, error.message)
  return (
    <State title={titles[kind] ?? 'Something went wrong on the server.'}>
      <p>{error.message}</p>
      {command !== undefined && (
        <>
          <p>If you run this server, this command fixes it:</p>
          <pre tabIndex={0}>
            <code>{command}</code>
          </pre>
        </>
      )}
      {problem && (
        <p class="aside">
          Details are in the server’s log under <code>{problem.requestId}</code>.
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
    <State title={isOnline ? 'The server is not responding.' : 'You are offline.'}>
      <p>
        {isOnline
          ? `${message} The server may be restarting. This page continues as soon as it is back.`
          : 'This page continues as soon as you are online.'}
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
  'embeddings-stale': 'The data changed and must be prepared again.',
  'dataset-missing': 'This server does not have this dataset.',
}

/** The command that solves the problem. */
function commandFor(kind: string, message: string): string | undefined {
  const { dataset } = query.value
  if (kind === 'model-not-installed') return /`(synoptic [^`]+)`/.exec(message)?.[1]
  if (kind === 'dataset-missing') return `synoptic data import <mapping of ${dataset}>`
  const isAboutEmbeddings = kind.startsWith('embeddings-') || kind === 'dimension-mismatch'
  return isAboutEmbeddings ? `synoptic embed build --dataset ${dataset}` : undefined
}
