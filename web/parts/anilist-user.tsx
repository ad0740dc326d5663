/** Loads the public lists of an AniList user, by name. */
import { useState } from 'preact/hooks'

interface AnilistUserProps {
  readonly isBusy: boolean
  readonly onLoad: (name: string) => void
}

export function AnilistUser({ isBusy, onLoad }: AnilistUserProps) {
  const [name, setName] = useState('')
  return (
    <form
      class="anilist-user"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !isBusy) onLoad(name.trim())
      }}
    >
      <label for="anilist-user">Or name an AniList user whose lists are public</label>
      <span>
        <input
          id="anilist-user"
          type="text"
          maxLength={40}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="button">
          Load
        </button>
      </span>
    </form>
  )
}
