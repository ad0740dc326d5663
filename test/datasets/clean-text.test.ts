import { cleanLine, cleanText } from '#synoptic/data/datasets/clean-text.js'
import { describe, expect, test } from 'vitest'

describe('markup goes, wording stays', () => {
  test.each([
    ['One.<br><br>\nTwo.', 'One.\n\nTwo.'],
    ['One.<br>\nTwo.<Br />Three.', 'One.\nTwo.\nThree.'],
    ['<p>One.</p><p>Two.</p>', 'One.\n\nTwo.'],
    [
      '<i>Slanted</i>, <b>bold</b> and <a href="https://a.example/?x=1">linked</a>',
      'Slanted, bold and linked',
    ],
    ['a &amp; b &lt;3 &mdash; caf&eacute; &#333;&#x2014;', 'a & b <3 — café ō—'],
    ['twice &amp;amp; encoded&lt;br&gt;break', 'twice & encoded\nbreak'],
    ['<Infinite Dendrogram> is a game, 1 < 2 > 0', '<Infinite Dendrogram> is a game, 1 < 2 > 0'],
    ['AT&T and R&D &unheardof; &', 'AT&T and R&D &unheardof; &'],
    [
      'no-break\u00a0space, zero\u200b width, soft\u00adhyphen',
      'no-break space, zero width, softhyphen',
    ],
    ['tab\there \r\n and   spaces\r\n\r\n\r\n\r\nparagraph', 'tab here\nand spaces\n\nparagraph'],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
    ['before<!-- a comment -->after', 'beforeafter'],
    ['The "Source" of all: evil.', 'The "Source" of all: evil.'],
    ['日本語のあらすじ。', '日本語のあらすじ。'],
    ['half a pair \ud83c and a whole one 🌙', 'half a pair \ufffd and a whole one 🌙'],
  ])('%j', (raw, expected) => expect(cleanText(raw)).toBe(expected))
})

describe('a megabyte is cleaned in time that grows with it', () => {
  test.each([
    '<!--',
    '<!-- -->',
    '<p ',
    '<br ',
    '<a href="',
    '(source: ',
    '(source: (a) ',
    '[written by ',
    '( ',
    ' \n',
    '&amp;',
    '\u00a0 \t',
    'no synopsis ',
    '. source: ',
  ])('%j', (part) => {
    const timeOf = (length: number) => {
      const text = part.repeat(length / part.length)
      const begunMs = performance.now()
      cleanText(text)
      return performance.now() - begunMs
    }
    timeOf(50_000)
    // Ten times as much takes a hundred times as long where every part looks through the rest; a busy machine is slow.
    expect(timeOf(1_000_000)).toBeLessThan(2000)
  })

  test('a comment without an end is wording', () => {
    expect(cleanText('One. <!-- two <!-- three --> four <!-- five')).toBe(
      'One.  four <!-- five'.replace('  ', ' '),
    )
  })
})

describe('credits go', () => {
  test.each([
    ['A story.\n\n(Source: Anime News Network)', 'A story.'],
    ['A story. (source: MU)', 'A story.'],
    ['A story.<br><br>\n(Source: VIZ Media (edited)) ', 'A story.'],
    ['A story.\n(Sources: ANN, Wikipedia)', 'A story.'],
    ['A story.\n\n[Written by MAL Rewrite]', 'A story.'],
    [
      'A story.  [Written by MAL Rewrite]  Included one-shot: Volume 14: Another',
      'A story.\n\nIncluded one-shot: Volume 14: Another',
    ],
    ['A story.(Source: Discotek)Note: late.', 'A story.\n\nNote: late.'],
    ['A story.\n\nSource: DLsite English', 'A story.'],
    ['A story. Source: AnimeNfo.com', 'A story.'],
    ['A story. [from AnimeNfo.com]', 'A story.'],
    ['A story. (anidb)', 'A story.'],
    ['(Source: ANN)', null],
  ])('%j', (raw, expected) => expect(cleanText(raw)).toBe(expected))

  test.each([
    'The source: a well in the desert. It dries up.',
    'She travels (from their point of view) back home.',
    'He hunts the source of the water.',
    'Written by hand, the book [the Written Word] glows.',
  ])('and story stays: %j', (text) => expect(cleanText(text)).toBe(text))
})

describe('placeholders are blank', () => {
  test.each([
    '',
    '   ',
    '<br>',
    'Unknown',
    'N/A',
    'not available',
    'None.',
    'No synopsis yet - check back soon!',
    'No synopsis has been added for this series yet.\n\nClick here to update this information.',
    'No synopsis information has been added to this title. Help improve our database by adding a synopsis here.',
    'No description available.',
    "This entry currently doesn't have a synopsis.",
    "Looking for information on the manga Berserk? Find out more with MyAnimeList, the world's most active online anime and manga community and database.",
  ])('%j', (raw) => expect(cleanText(raw)).toBeNull())

  test.each([
    'Unknown forces stir.',
    "This entry currently doesn't have a synopsis, says the log, and then the log goes dark, and Emi has to cross the frozen lake to find out who wrote it and why the pages after it are torn.",
    'Looking for information on the killer, a reporter moves into the house.',
    'No synopsis is needed: she dies.',
    'None of them came back.',
    'No synopsis can do justice to this tale of two brothers.',
    'An unavailable man meets N/A, a girl without a name.',
    'No description of the beast survives, for nobody who saw it does.',
  ])('only as the whole text: %j', (text) => expect(cleanText(text)).toBe(text))
})

test('a line keeps its case and loses its line ends', () => {
  expect(cleanLine('  DEATH\n NOTE&#8482; ')).toBe('DEATH NOTE™')
})

test('any text is cleaned in time that grows with its length', () => {
  for (const piece of ['<', '&', '(Source: ', '[Written by ', '\n \n', '<br>', '((', 'Source: ']) {
    expect(typeof cleanText(`A story. ${piece.repeat(20_000)}`)).toBe('string')
  }
})
