import { calls } from '../../protocol/src/calls/http.ts';
import { callers } from './callers.ts';
import type { openApi } from './openapi.ts';
import { otherPaths } from './otherPaths.ts';

const BEGINS = '<!-- From here on written by `npm run api`. -->';

/** The guide, with the list of calls at its end as it is now. */
export function withCalls(guide: string, { paths, tags }: ReturnType<typeof openApi>): string {
  const at = guide.indexOf(BEGINS);
  if (at === -1) throw new Error(`docs/api.md has no line ${BEGINS}`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const areas = tags.map(({ name }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ method, path, operation: { operationId, summary } }) =>
        row([`\`${method} ${path}\``, summary, callers[calls[operationId].auth].name]),
      );
    return table(`### ${name}`, ['call', 'what it does', 'who may call'], rows);
  });
  const others = otherPaths.map(({ methods, path, what }) =>
    row([`\`${methods.join(', ')} ${path}\``, what]),
  );
  return [
    guide.slice(0, at) + BEGINS,
    '## Who may call',
    Object.values(callers)
      .map(({ name, words }) => `- **${name}.** ${words}`)
      .join('\n'),
    '## Every call',
    'With bodies, answers, refusals and limits: [the readable page](api/index.html), or [OpenAPI 3.1](api/openapi.json).',
    ...areas,
    table('## What is no call', ['address', 'what it is'], others),
  ]
    .join('\n\n')
    .concat('\n');
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function table(heading: string, head: string[], rows: string[]): string {
  return [heading, '', row(head), row(head.map(() => '---')), ...rows].join('\n');
}
