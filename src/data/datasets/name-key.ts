/** Letters and digits of a field's name: `Air Date`, `air_date` and `airDate` are one name. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
