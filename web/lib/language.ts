/** Whether a query is English, as far as its letters and its small words tell. */

const otherScript = /\p{L}/gu
const latin = /\p{Script=Latin}/u

/** Frequent words of other languages that English does not have. */
const foreign = new Set(
  (
    'el los las una unos que con por para como donde chico chica ' +
    'le les une des est qui que dans avec pour sur pas dont ' +
    'der das ein eine und ist mit nicht auf sich dem den wird einem einer ' +
    'il gli della delle che di nel non una ragazzo ragazza ' +
    'um uma os dos das não com ele ela menino menina ' +
    'yang dan dengan untuk ini itu dari ' +
    'bir ve ile için olan'
  ).split(' '),
)
const english = new Set(
  'the a an and of to in with who that is his her their like but not for where about on by'.split(
    ' ',
  ),
)
/** Of the letters, as many of another script make a query foreign. */
const mostForeign = 0.5

export function isEnglish(text: string): boolean {
  const letters = text.match(otherScript) ?? []
  if (letters.length === 0) return true
  const others = letters.filter((letter) => !latin.test(letter)).length
  if (others / letters.length >= mostForeign) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length
  const foreignWords = count(foreign)
  return foreignWords < 2 || foreignWords <= count(english)
}
