/** Character references of HTML as synopses use them; what is not known stays as written. */

/** Replaces `&amp;`, `&#333;`, `&#x2014;`, `&eacute;` and the like. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+[0-9]*));/gi,
    (reference, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return decodeName(name) ?? reference
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
      return decodeCode(code) ?? reference
    },
  )
}

/** Latin letters with a mark are composed, which saves their table of some 120 names. */
const marks: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['macr', '\u0304'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
])

const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    ndash: '–',
    mdash: '—',
    horbar: '―',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    lsaquo: '‹',
    rsaquo: '›',
    hellip: '…',
    bull: '•',
    middot: '·',
    dagger: '†',
    Dagger: '‡',
    prime: '′',
    Prime: '″',
    deg: '°',
    plusmn: '±',
    times: '×',
    divide: '÷',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    sup2: '²',
    sup3: '³',
    infin: '∞',
    minus: '−',
    trade: '™',
    reg: '®',
    copy: '©',
    sect: '§',
    para: '¶',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    iexcl: '¡',
    iquest: '¿',
    szlig: 'ß',
    aelig: 'æ',
    AElig: 'Æ',
    oelig: 'œ',
    OElig: 'Œ',
    oslash: 'ø',
    Oslash: 'Ø',
    aring: 'å',
    Aring: 'Å',
    eth: 'ð',
    ETH: 'Ð',
    thorn: 'þ',
    THORN: 'Þ',
    larr: '←',
    rarr: '→',
    uarr: '↑',
    darr: '↓',
    star: '☆',
    starf: '★',
    hearts: '♥',
    sung: '♪',
    alpha: 'α',
    beta: 'β',
    gamma: 'γ',
    delta: 'δ',
    omega: 'ω',
    Omega: 'Ω',
    shy: '',
    zwj: '\u200d',
    zwnj: '\u200c',
  }),
)

function decodeName(name: string): string | undefined {
  const symbol = symbols.get(name)
  if (symbol !== undefined) return symbol
  const mark = marks.get(name.slice(1))
  return mark === undefined ? undefined : (name.charAt(0) + mark).normalize('NFC')
}

function decodeCode(code: number): string | undefined {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code < 0x20 || code > 0x10ffff || isSurrogate) return code === 10 ? '\n' : undefined
  return String.fromCodePoint(code)
}
