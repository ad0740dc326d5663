/** Whether a link may go there: a catalogue may hold anything. A name before the host would hide whose site it is. */
export function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
