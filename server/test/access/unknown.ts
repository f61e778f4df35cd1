/** Names without a rule, each as a message that says where to add it. */
export function unknownOf(
  kind: 'call' | 'route' | 'frame',
  there: Iterable<string>,
  known: Record<string, unknown>,
): string[] {
  const file = `server/test/access/${kind}s.ts`;
  return [...new Set(there)]
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `The access matrix does not know the ${kind} ${name}: add a line for it to ${file}.`);
}

/** Rules for names that no longer exist. */
export function staleOf(there: Iterable<string>, known: Record<string, unknown>): string[] {
  const all = new Set(there);
  return Object.keys(known).filter((name) => !all.has(name));
}
