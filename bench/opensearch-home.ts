type Nodes = typeof import('../tools/opensearch/nodes.js')

/** What starts nodes, and OpenSearch's folder; undefined, with a line that says so, where there is none. */
export async function openSearchHome(
  print: (line: string) => void,
): Promise<{ readonly home: string; readonly startCluster: Nodes['startCluster'] } | undefined> {
  const tool = new URL('../../tools/opensearch/nodes.js', import.meta.url).href
  const { findOpenSearch, startCluster } = (await import(tool)) as Nodes
  const home = findOpenSearch()
  if (home !== undefined) return { home, startCluster }
  print('  skipped: tools/opensearch/fetch.sh has OpenSearch; name it in SYNOPTIC_TEST_OPENSEARCH')
  return undefined
}
