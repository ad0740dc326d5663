/** A collection of the operator's own: ten recipes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const recipes = [
  [
    'Lentil soup',
    'Red lentils, carrots and cumin simmer until soft, with lemon at the end.',
    30,
    'soup',
  ],
  [
    'Ramen',
    'Noodles in a pork broth that boils for a night, with a soft egg and seaweed.',
    720,
    'soup',
  ],
  ['Focaccia', 'A flat bread with olive oil, salt and rosemary, that rises twice.', 180, 'bread'],
  ['Pancakes', 'A batter of milk, eggs and flour, fried in butter, with maple syrup.', 20, 'sweet'],
  [
    'Caesar salad',
    'Romaine lettuce, croutons, parmesan and a dressing with anchovies.',
    15,
    'salad',
  ],
  ['Apple pie', 'Sour apples with cinnamon under a crust of butter and flour.', 90, 'sweet'],
  ['Risotto', 'Rice that takes up wine and stock spoon by spoon, with saffron.', 40, 'rice'],
  ['Paella', 'Rice with mussels, prawns and saffron, in a wide pan over a fire.', 60, 'rice'],
  ['Rye bread', 'A dark sourdough that rests for two days, with caraway seeds.', 2880, 'bread'],
  ['Fruit salad', 'Melon, mango and mint with the juice of a lime.', 10, 'salad'],
] as const

/** Writes the data and its mapping; answers the mapping's path. */
export function writeRecipes(
  folder: string,
  dataset = 'recipes',
  id: string | object = 'number',
): string {
  const lines = recipes.map(([name, method, minutes, course], at) =>
    JSON.stringify({ number: at + 1, name, method, time: minutes, course }),
  )
  writeFileSync(join(folder, 'recipes.jsonl'), `${lines.join('\n')}\n`)
  const mapping = {
    dataset,
    file: 'recipes.jsonl',
    format: 'jsonl',
    fields: { id, title: 'name' },
    metadata: {
      course: { from: 'course', as: 'text', filterable: true },
      minutesNeeded: { from: 'time', as: 'integer', filterable: true },
    },
    texts: { method: 'method' },
  }
  const path = join(folder, 'recipes.json')
  writeFileSync(path, JSON.stringify(mapping))
  return path
}
