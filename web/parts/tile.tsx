/** Stands for a cover: the title as on the spine of a book, coloured by what kind of tags the work has. */
import { isJapanese } from '../lib/words.js'

interface TileProps {
  readonly title: string
  readonly family: string
  readonly year?: number | null | undefined
}

/** The letters of a title decide their size, so that its columns are full: large ones are four to a column. */
function sizeOf(length: number): 'large' | 'medium' | 'small' {
  if (length <= 4 || (length > 6 && length <= 8)) return 'large'
  return length <= 12 ? 'medium' : 'small'
}

export function Tile({ title, family, year }: TileProps) {
  const isNative = isJapanese(title)
  // Latin letters are half as wide.
  const length = isNative ? title.length : title.length / 1.8
  return (
    <div class={`tile ${sizeOf(length)}`} data-family={family} aria-hidden="true">
      <span class="spine" lang={isNative ? 'ja' : undefined}>
        {title}
      </span>
      {year ? <span class="year">{year}</span> : null}
    </div>
  )
}

interface NativeTitleProps {
  readonly title: string | null | undefined
  readonly main: string
}

export function NativeTitle({ title, main }: NativeTitleProps) {
  if (!title || title === main) return null
  return (
    <span class="native" lang={isJapanese(title) ? 'ja' : undefined} dir="auto">
      {title}
    </span>
  )
}
