/** The dialog of somebody's list: an export is dropped into it, or anywhere on the page, and stays in this browser. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { datasets, has, server } from '../lib/server.js'
import { countLabel } from '../lib/words.js'
import {
  forgetList,
  hasList,
  hideSeen,
  hidesSeen,
  importList,
  importUser,
  isListOpen,
  myList,
  type Imported,
} from '../state/my-list.js'
import { navigate } from '../state/navigation.js'
import { AnilistUser } from './anilist-user.js'

type Progress =
  | { readonly kind: 'none' | 'reading' }
  | { readonly kind: 'done' | 'failed'; readonly text: string }

export function MyListDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [progress, setProgress] = useState<Progress>({ kind: 'none' })
  const isOpen = isListOpen.value
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])

  const take = async (reading: Promise<Imported>) => {
    isListOpen.value = true
    setProgress({ kind: 'reading' })
    try {
      const { inList, found } = await reading
      const missing = inList - found
      const rest =
        missing > 0 ? ` ${countLabel(missing, 'other is', 'others are')} not on this server.` : ''
      setProgress({ kind: 'done', text: `${countLabel(found, 'work')} on your list.${rest}` })
    } catch (error) {
      setProgress({ kind: 'failed', text: error instanceof Error ? error.message : String(error) })
    }
  }
  useEffect(() => {
    if (!has('browse')) return undefined
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (file === undefined) return
      event.preventDefault()
      void take(importList(file))
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])

  const counts = datasets.flatMap((dataset) => {
    const count = myList.value[dataset]?.length ?? 0
    return count === 0 ? [] : [countLabel(count, dataset, dataset)]
  })
  return (
    <dialog
      ref={dialog}
      class="my-list"
      aria-labelledby="my-list-title"
      onClose={() => (isListOpen.value = false)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="my-list-body">
        <h2 id="my-list-title">My list</h2>
        <p>
          {hasList.value
            ? `Your list has ${counts.join(' and ')}.`
            : 'Add what you have seen, and get recommendations.'}
        </p>
        <label class="drop">
          <span>
            <strong>Choose a file</strong> or drop it here: an export of MyAnimeList (
            <code>.xml</code>, <code>.gz</code>) or AniList (<code>.json</code>).
          </span>
          <input
            type="file"
            accept=".xml,.gz,.json,application/json,text/xml,application/gzip"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              if (file) void take(importList(file))
              currentTarget.value = ''
            }}
          />
        </label>
        {server.anilistUsers && (
          <AnilistUser
            isBusy={progress.kind === 'reading'}
            onLoad={(name) => void take(importUser(name))}
          />
        )}
        <p role="status" class={progress.kind === 'failed' ? 'problem' : ''}>
          {progress.kind === 'reading' && 'Reading the list…'}
          {(progress.kind === 'done' || progress.kind === 'failed') && progress.text}
        </p>
        {hasList.value && (
          <>
            <label class="toggle">
              <input
                type="checkbox"
                checked={hidesSeen.value}
                onChange={({ currentTarget }) => hideSeen(currentTarget.checked)}
              />
              Hide what I have seen
            </label>
            <p class="my-list-actions">
              <button
                type="button"
                class="button strong"
                onClick={() => {
                  isListOpen.value = false
                  navigate({
                    forMe: true,
                    text: '',
                    work: undefined,
                    more: [],
                    less: [],
                    ignore: [],
                  })
                }}
              >
                Show works for me
              </button>
              <button type="button" class="button" onClick={forgetList}>
                Forget my list
              </button>
            </p>
          </>
        )}
        <p class="aside">
          {server.anilistUsers
            ? 'A file stays in this browser; the lists of a user come from AniList through this server. '
            : 'The file stays in this browser. '}
          The server receives ids of works with a search, and stores none of them.
        </p>
        <form method="dialog">
          <button class="button">Close</button>
        </form>
      </div>
    </dialog>
  )
}
