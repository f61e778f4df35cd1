import { type ESTree, type Plugin, parseAst } from 'vite';

/** Tables of the protocol's calls. */
const CALLS = /\/protocol\/src\/calls\/\w*Calls\.ts$/;
const CODES = /\/protocol\/src\/calls\/errorCodes\.ts$/;

/**
 * A page checks what the server answers; what the page itself asks is the server's to check. So the schemas of bodies
 * and queries, and what of the validator only they use, stay out of the built pages. So does the list of all codes of
 * refusals: a page knows by name those that it acts on, and takes every other for a plain no, also one of a newer server.
 */
export function answersOnly(): Plugin {
  return {
    name: 'settee-answers-only',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (CODES.test(id)) return { code: withAnyCode(code), map: null };
      return CALLS.test(id) ? { code: withAnswersOnly(code), map: null } : undefined;
    },
  };
}

export function withAnswersOnly(code: string): string {
  const asked: { start: number; end: number }[] = [];
  walk(parseAst(code, { lang: 'ts' }), (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'call')
      return;
    const [entry] = node.arguments;
    if (entry?.type !== 'ObjectExpression') return;
    for (const property of entry.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
      if (['body', 'query'].includes(property.key.name)) asked.push(property);
    }
  });
  let left = code;
  // From the end, so that the places before stay where they are; every line keeps its number.
  for (const { start, end } of asked.sort((a, b) => b.start - a.start))
    left =
      left.slice(0, start) + left.slice(start, end).replace(/[^\n]/g, '') + left.slice(end).replace(/^,/, '');
  return left;
}

export function withAnyCode(code: string): string {
  const list = /v\.picklist\(\[[^\]]*\]\)/;
  if (!list.test(code)) throw new Error('there is no list of codes to leave out');
  return code.replace(list, (whole) => `v.string()${whole.replace(/[^\n]/g, '')}`);
}

function walk(node: unknown, visit: (node: ESTree.Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) visit(node as ESTree.Node);
  for (const part of Object.values(node)) walk(part, visit);
}
