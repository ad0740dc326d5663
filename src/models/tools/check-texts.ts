/** Texts that a model's speed is tried with: as long as synopses are, none like another. */
const openings = [
  'A girl who cannot remember her name takes over a lighthouse at the edge of the known sea',
  'Two brothers search for a stone that would give back what an experiment took from them',
  'The students of a class have one year to kill their teacher, who is a yellow octopus',
  'An office worker is reborn as a slime and founds a country of those whom nobody wanted',
  'A boy finds a notebook; whoever has their name written in it dies within the minute',
  'Humanity lives behind three walls, because giants eat whom they find outside of them',
  'A cook opens a restaurant whose door leads to another world on every Saturday',
  'Girls drive tanks after school, and their school stands on the deck of a ship',
]
const middles = [
  'Nobody believes what happened on the first evening, least of all the police of the small town.',
  'An old friend returns with a debt, a map that has been torn in half, and no explanation at all.',
  'Every spring the river brings letters without an address, and somebody has to answer them.',
  'The council offers a reward, and hunters come from seven provinces to claim it for themselves.',
]
const endings = [
  'What begins as a game of children becomes a war between houses that had kept peace for an age, and neither side remembers who broke it.',
  'Step by step the truth comes out about the fire, the missing teacher, and the song that all of them know although none has learned it.',
]

export const sampleTexts: readonly string[] = openings.flatMap((opening) =>
  middles.flatMap((middle) => endings.map((ending) => `${opening}. ${middle} ${ending}`)),
)
