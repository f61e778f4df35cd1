import { errors } from '../../protocol/src/calls/errors.ts';
import { calls } from '../../protocol/src/calls/http.ts';
import { callers } from './callers.ts';
import { downFrames, type frames, upFrames } from './frames.ts';
import { escaped, fields, idOf, linked, prose, table } from './html.ts';
import type { Operation, openApi } from './openapi.ts';
import { otherPaths } from './otherPaths.ts';
import { typeOf, wordsOf } from './rows.ts';
import { STYLE } from './style.ts';

type Described = ReturnType<typeof openApi>;
type Socket = ReturnType<typeof frames>;

/** One file that needs nothing else: no script, no font, no request. */
export function page(api: Described, socket: Socket): string {
  const areas = api.tags.map(({ name }) => name);
  const link = (name: string) => `<li><a href="#${idOf(name)}">${escaped(name)}</a></li>`;
  const rest = ['Who may call', 'Refusals', 'The socket', 'Shapes', 'What is no call'];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Settee’s calls, version ${api.info.version}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">To the calls</a>
<nav aria-label="Areas"><ul>${[...areas, ...rest].map(link).join('')}</ul></nav>
<main id="main">
<h1>Settee’s calls <small>version ${api.info.version}</small></h1>
${api.info.description
  .split('\n\n')
  .map((paragraph) => `<p>${prose(paragraph)}</p>`)
  .join('\n')}
${areas.map((area) => section(area, operationsOf(api, area))).join('\n')}
${section(
  'Who may call',
  table(
    'Kinds of callers',
    ['who', 'how'],
    Object.values(callers).map(({ name, words }) => [escaped(name), prose(words)]),
  ),
)}
${section(
  'Refusals',
  `<p>A refused call answers <code>{ "success": false, "error", "code" }</code>.</p>${table(
    'Codes',
    ['code', 'status', 'what a person may read'],
    Object.entries(errors).map(([code, { status, text }]) => [
      `<code>${code}</code>`,
      String(status),
      escaped(text),
    ]),
  )}`,
)}
${section('The socket', framesOf(socket))}
${section('Shapes', shapesOf(api))}
${section(
  'What is no call',
  table(
    'Addresses',
    ['address', 'what it is'],
    otherPaths.map(({ methods, path, what }) => [
      `<code>${methods.join(', ')} ${escaped(path)}</code>`,
      prose(what),
    ]),
  ),
)}
</main>
</body>
</html>
`;
}

function section(name: string, content: string): string {
  return `<section id="${idOf(name)}"><h2>${escaped(name)}</h2>\n${content}\n</section>`;
}

function operationsOf({ paths }: Described, area: string): string {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => operation.tags[0] === area)
    .map(({ method, path, operation }) => oneCall(method, path, operation))
    .join('\n');
}

function oneCall(method: string, path: string, operation: Operation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const answer = responses['200']?.content?.['application/json']?.schema;
  return `<article id="${operationId}"><h3><b class="${method}">${method}</b> <code>${escaped(path)}</code></h3>
<p class="summary">${prose(summary)} <small>${operationId} · ${escaped(callers[calls[operationId].auth].name)}</small></p>
<details><summary>More about ${operationId}</summary>
${description
  .split('\n\n')
  .map((paragraph) => `<p>${prose(paragraph)}</p>`)
  .join('\n')}
${
  query.length === 0
    ? ''
    : table(
        'Query',
        ['parameter', 'type', 'what it is'],
        query.map(({ name, required, schema, description: words }) => [
          `<code>${name}</code>${required ? '' : ' <small>may be left out</small>'}`,
          linked(typeOf(schema)),
          prose(wordsOf({ ...schema, ...(words !== undefined && { description: words }) })),
        ]),
      )
}
${body ? fields(body, 'Body') : requestBody ? '<p>The body is the bytes of a file.</p>' : ''}
${answer ? fields(answer, 'Answer') : ''}
</details></article>`;
}

function framesOf({ components: { messages } }: Socket): string {
  const list = (caption: string, words: Record<string, string>, names: (name: string) => string[]) =>
    `<h3>${caption}</h3>${Object.entries(words)
      .map(([name, summary]) => {
        const known = names(name).find((key) => messages[key] !== undefined) ?? '';
        const payload = messages[known]?.payload;
        return `<article><h4><code>${name}</code></h4><p>${prose(summary)}</p><details><summary>Fields of ${name}</summary>${payload ? fields(payload, name) : ''}</details></article>`;
      })
      .join('\n')}`;
  return `<p>${prose('A WebSocket at `/live`, with frames of JSON. [docs/protocol.md] tells its rules; `docs/api/frames.json` is the same as AsyncAPI 3.').replace('[docs/protocol.md]', '<a href="../protocol.md">docs/protocol.md</a>')}</p>
${list('Up: what a client says', upFrames, (name) => [name])}
${list('Down: what the server says', downFrames, (name) => [`${name}ToStaff`, `${name}ToVisitor`])}`;
}

function shapesOf({ components: { schemas } }: Described): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const words = wordsOf(schema);
      return `<article id="shape-${name}"><h3>${name}</h3>${words ? `<p>${prose(words)}</p>` : ''}
${fields(schema, name)}</article>`;
    })
    .join('\n');
}
