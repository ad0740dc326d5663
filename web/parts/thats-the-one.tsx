/** "That's the one": reports to the operator of the server that the search found the right work. */
import { signal } from '@preact/signals'
import { sendFeedback } from '../lib/api.js'
import type { DatasetName } from '../lib/query.js'
import { server } from '../lib/server.js'
import { query } from '../state/navigation.js'

/** Work and query of each report, so that none is sent twice. */
const noted = signal<ReadonlyMap<string, 'kept' | 'failed'>>(new Map())

interface ThatsTheOneProps {
  readonly dataset: DatasetName
  readonly work: number
  readonly rank: number
}

export function ThatsTheOne({ dataset, work, rank }: ThatsTheOneProps) {
  const { text } = query.value
  if (!server.feedback || text === '') return null
  const shown = { dataset, text }
  const key = JSON.stringify([dataset, text, work])
  const note = (state: 'kept' | 'failed') => (noted.value = new Map([...noted.value, [key, state]]))
  const state = noted.value.get(key)
  if (state === 'kept') return <span role="status">Noted, thank you.</span>
  return (
    <button
      type="button"
      class="plain"
      title="The server keeps the query, this work, its rank and the day, and nothing of you"
      onClick={() =>
        void sendFeedback(shown, { work, rank }).then(
          () => note('kept'),
          () => note('failed'),
        )
      }
    >
      {state === 'failed' ? 'Not noted. Once more?' : 'That’s the one'}
    </button>
  )
}
