import { join } from 'node:path';

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const visitor = join(import.meta.dirname, '../src/visitor');
const FIRST = join(visitor, 'main.tsx');
const SOON = [join(visitor, 'forms.ts'), join(visitor, 'ChatRoom.tsx')];

/**
 * Puts the forms and the chat room, which every first visit needs, into one script and one style sheet, with all their
 * imports that are not in the first script. The bundler's default chunks needed three sequential round trips.
 */
export function neededSoon() {
  let soon: Set<string> | undefined;
  return {
    includeDependenciesRecursively: false,
    name(id: string, graph: Graph): string | null {
      soon ??= soonIn(graph);
      return soon.has(id) ? 'room' : null;
    },
  };
}

function soonIn(graph: Graph): Set<string> {
  const first = reached(graph, [FIRST]);
  return new Set([...reached(graph, SOON)].filter((id) => !first.has(id)));
}

function reached(graph: Graph, start: string[]): Set<string> {
  const seen = new Set(start);
  for (const id of seen) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) seen.add(next);
  return seen;
}
