export function stagePages(project: string, output: string, first?: string): string[]
