/** The form for the key of a server that needs one. */
import { useState } from 'preact/hooks'
import { keepKey, key } from '../lib/key.js'

interface KeyFormProps {
  /** The server's reason. */
  readonly message: string
  readonly onKey: () => void
}

export function KeyForm({ message, onKey }: KeyFormProps) {
  const [value, setValue] = useState('')
  const keep = () => {
    if (value.trim() === '') return
    keepKey(value)
    onKey()
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <p>{key.value === '' ? 'Ask the person who runs this server for one.' : message}</p>
      <label for="key">Key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <button type="submit" class="button">
        Use this key
      </button>
      <p class="aside">It is forgotten when you close this tab.</p>
    </form>
  )
}
