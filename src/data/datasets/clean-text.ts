/**
 * Converts a source's synopsis to plain text. It removes markup, credits and placeholders, keeps paragraphs and
 * wording, and normalizes white space.
 */
import { decodeHTMLStrict } from 'entities'

/** Returns the synopsis as plain text; null if the text only says that there is none. */
export function cleanText(raw: string): string | null {
  // Twice, since exports often encode what was encoded already: `&amp;amp;`, `&lt;br&gt;`.
  const decoded = unifySpaces(decodeEntities(decodeEntities(raw)))
  const plain = tidySpaces(stripMarkup(decoded))
  const stripped = stripCredits(plain)
  const text = stripped === plain ? plain : tidySpaces(stripped)
  return text === '' || isPlaceholder(text) ? null : text
}

/** A title or a name: one line, original case. */
export function cleanLine(raw: string): string {
  if (cleanWords.test(raw)) return raw
  return unifySpaces(decodeEntities(raw)).replace(/\s+/g, ' ').trim()
}

/** Most names: printable ASCII without an entity, with single spaces inside. */
const cleanWords = /^[!-%'-~]+(?: [!-%'-~]+)*$/

function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text
}

/** Only names of HTML: `<Infinite Dendrogram>` and `a < b` are wording. */
const tag =
  /<\/?(?:a|abbr|b|big|blockquote|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|ol|pre|q|s|small|span|strike|strong|sub|sup|table|tbody|td|th|tr|tt|u|ul)(?:\s[^<>]*)?\/?>/gi

function stripMarkup(text: string): string {
  if (!text.includes('<')) return text
  return withoutComments(text)
    .replace(/<\/?br\s*\/?>\n?/gi, '\n')
    .replace(/<\/?p(?:\s[^<>]*)?>/gi, '\n\n')
    .replace(/<(?:li|tr|hr)\b[^<>]*>/gi, '\n')
    .replace(/<\/(?:div|blockquote|h[1-6]|ul|ol|table)>/gi, '\n')
    .replace(tag, '')
}

/** One that has no end is wording. An expression would look for the end of each to the end of the text. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const begin = text.indexOf('<!--', from)
    const end = begin < 0 ? -1 : text.indexOf('-->', begin + '<!--'.length)
    if (end < 0) return kept + text.slice(from)
    kept += text.slice(from, begin)
    from = end + '-->'.length
  }
}

/**
 * "(Source: …)" and "[Written by …]" are no part of the story wherever they stand, and notes often
 * follow them; a bare "Source: …" is taken for a credit only at the very end.
 * @param text by tidySpaces: a space or two ends of lines are the most that it has in a row
 */
function stripCredits(text: string): string {
  const unbracketed = text.includes('(') || text.includes('[') ? stripBracketed(text) : text
  // Longer ones are no credits.
  return /source: /i.test(unbracketed.slice(-maxBareCredit))
    ? unbracketed.replace(/(?:\n{1,2}|[.!?] )source: [\w .-]{2,40}$/i, keepStop)
    : unbracketed
}

const maxBareCredit = '\n\nsource: '.length + 40

function stripBracketed(text: string): string {
  return text
    .replace(/[ \n]{0,2}\(\s*(?:sources?|souce)\s*:[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/gi, separate)
    .replace(/[ \n]{0,2}\[\s*(?:sources?\s*:|written\s+(?:by\b|mal\b))[^[\]\n]*\]/gi, separate)
    .replace(
      /\s{0,2}[([]\s*(?:summary |synopsis |description |taken |adapted |original description )?from (?:anidb|ann|anime[ -]?nfo(?:\.com)?|anime[ -]planet|wikipedia)[)\]]\s*$/i,
      '',
    )
    .replace(/\s{0,2}\(\s*(?:anidb|ann|wikipedia)\s*\)\s*$/i, '')
    .replace(/\s{0,2}[([]source [\w .-]{2,40}[)\]]\s*$/i, '')
}

/** A bare credit may follow the last sentence on its line, whose stop stays. */
function keepStop(match: string): string {
  return /^[.!?]/.test(match) ? match.charAt(0) : ''
}

/** What follows a credit starts a paragraph of its own. */
function separate(match: string, offset: number, whole: string): string {
  return offset + match.length < whole.length ? '\n\n' : ''
}

const placeholders: readonly RegExp[] = [
  /^(?:unknown|none|null|nan|n\/?a|tba|tbd|to be (?:announced|added)|coming soon|[-–—.?]+)[.!]?$/i,
  /^(?:synopsis|description|plot|summary)?\s*(?:is\s+)?(?:not|un)\s*(?:yet )?available(?: yet)?[.!]?$/i,
  /^no (?:synopsis|description|summary|plot)(?: information)?(?:[.!]?$| (?:yet|available|found|has been|is (?:yet )?available|was (?:found|provided))\b[^]{0,150}$)/i,
  /^this entry (?:currently )?(?:doesn.t|does not) have a (?:synopsis|description)[^]{0,100}$/i,
  /^looking for information on the [^]{1,200} with MyAnimeList,[^]{0,120}$/i,
]

function isPlaceholder(text: string): boolean {
  return text.length < 320 && placeholders.some((placeholder) => placeholder.test(text))
}

/** Every line end as \n, every space as a space, characters without width or meaning gone, text that any file can hold. */
function unifySpaces(text: string): string {
  if (!unusual.test(text)) return text
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[^\P{Cc}\n]|[\u00ad\u200b\u2060\ufeff]/gu, '')
}

/** All that `unifySpaces` replaces, and pairs of surrogates. */
const unusual =
  /[^\n -~\xa1-\xac\xae-\u167f\u1681-\u1fff\u200c-\u2027\u202a-\u202e\u2030-\u205e\u2061-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\uffff]/

function tidySpaces(text: string): string {
  const narrow = text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text
  return narrow.includes('\n')
    ? narrow
        .replace(/ ?\n ?/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    : narrow.trim()
}
