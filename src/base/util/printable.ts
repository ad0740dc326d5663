/**
 * Texts for terminals. A control character in foreign data, such as ESC or the CSI of one character, U+009B,
 * could move the cursor or type into the shell.
 */

/** The text with each control character but tab and line feed as `\u001b`. */
export const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  )

/** JSON whose control characters are all escaped; JSON itself allows DEL and U+0080 to U+009F as they are. */
export const asciiControls = (json: string): string => json.replace(/[\x7f-\x9f]/g, escapeOf)

/** JSON whose strings hold no control character but tab and line feed, each as the text `\u001b`. */
export const printableJson = (json: string): string =>
  asciiControls(json).replace(/\\(?:u00(?:[01][\da-f]|7f|[89][\da-f])|[bfr\\])/gi, (escape) =>
    escape === '\\\\' ? escape : `\\${escape}`,
  )

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
