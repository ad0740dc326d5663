/** Replaces a missing cover: the title as on the spine of a book, coloured by the kind of the work's tags. */
import { useState } from 'preact/hooks'
import { server } from '../lib/server.js'
import { isJapanese } from '../lib/words.js'

/** Only from hosts that the operator allows; the policy of the page refuses others as well. */
function isShown(cover: string | null | undefined): cover is string {
  if (!cover || !URL.canParse(cover)) return false
  const { origin, protocol } = new URL(cover)
  return server.covers.some((site) => site.origin === origin || site.origin === protocol)
}

interface TileProps {
  readonly title: string
  readonly family: string
  readonly year?: number | null | undefined
  readonly cover?: string | null | undefined
}

type Size = 'large' | 'medium' | 'small'

/** Large letters are four to a column, so they are for titles that fill one column or two. */
function sizeOfNative({ length }: string): Size {
  if (length <= 4 || (length > 6 && length <= 8)) return 'large'
  return length <= 12 ? 'medium' : 'small'
}

/** In small letters; capitals are wider. */
const widthOf = (word: string) => word.length + 0.4 * (word.match(/\p{Lu}/gu)?.length ?? 0)

/** Latin letters are narrow, and no word is broken unless even small letters are too long. */
function sizeOfLatin(title: string): Size {
  const longest = Math.max(...title.split(/\s+/).map(widthOf))
  if (longest <= 8 && title.length <= 16) return 'large'
  return longest <= 11 && title.length <= 30 ? 'medium' : 'small'
}

export function Tile({ title, family, year, cover }: TileProps) {
  const [isBroken, setBroken] = useState(false)
  const isNative = isJapanese(title)
  const size = isNative ? sizeOfNative(title) : sizeOfLatin(title)
  return (
    <div class={`tile ${size}`} data-family={family} aria-hidden="true">
      <span class="spine" lang={isNative ? 'ja' : undefined}>
        {title}
      </span>
      {year ? <span class="year">{year}</span> : null}
      {isShown(cover) && !isBroken && (
        <img
          src={cover}
          alt=""
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </div>
  )
}

interface Titled {
  readonly title: string
  readonly titleEnglish?: string | null | undefined
  readonly titleRomaji?: string | undefined
  readonly titleJapanese?: string | null | undefined
}

/** Its titles in the other languages. */
export function OtherTitles({ entry }: { readonly entry: Titled }) {
  const { title, titleEnglish, titleRomaji, titleJapanese } = entry
  const seen = new Set([title.toLowerCase()])
  const others = [titleEnglish, titleRomaji, titleJapanese].filter((other): other is string => {
    if (!other || seen.has(other.toLowerCase())) return false
    seen.add(other.toLowerCase())
    return true
  })
  return (
    <>
      {others.map((other) => (
        <span
          key={other}
          class="other-title"
          lang={isJapanese(other) ? 'ja' : undefined}
          dir="auto"
        >
          {other}
        </span>
      ))}
    </>
  )
}
