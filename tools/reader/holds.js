/** Whether the titles that a search found are as a line of corpus/found.jsonl expects. */
export function holds({ top, has = [], not = [], matching, notMatching }, titles) {
  const first = titles.slice(0, top)
  return (
    has.every((title) => first.includes(title)) &&
    !not.some((title) => first.includes(title)) &&
    (matching === undefined || first.some((title) => new RegExp(matching).test(title))) &&
    (notMatching === undefined || !first.some((title) => new RegExp(notMatching).test(title)))
  )
}
