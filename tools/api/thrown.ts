// Which refusals the server's code behind a call can throw: read from its source, along its imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import { errors } from '../../protocol/src/calls/errors.ts';

const SERVER = join(import.meta.dirname, '../../server/src');
const HTTP = join(SERVER, 'http');
const routes = readdirSync(HTTP).map((file) => join(HTTP, file));

function importsOf(file: string): { names: string[]; file: string }[] {
  return [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g)]
    .map(([, names = '', path = '']) => ({
      names: names.split(',').map((name) => name.trim()),
      file: join(dirname(file), path),
    }))
    .filter(({ file: imported }) => existsSync(imported));
}

/** The method of this name in a file of server/src/http, with those small functions of the file that it uses. */
function handlerOf(call: string): { file: string; text: string } {
  for (const file of routes) {
    const source = readFileSync(file, 'utf8');
    const from = source.search(new RegExp(`^ {4}async ${call}\\(`, 'm'));
    if (from === -1) continue;
    const text = source.slice(from, from + source.slice(from).search(/^ {4}\},?$/m));
    const helpers = [...source.matchAll(/^(?:async )?function (\w+)[\s\S]*?^\}$/gm)].filter(([, name = '']) =>
      text.includes(`${name}(`),
    );
    // What is made once for all calls of the file, before they are returned.
    const before = /^export function [\s\S]*?^ {2}return \{$/m.exec(source)?.[0] ?? '';
    return { file, text: [before, text, ...helpers.map(([whole]) => whole)].join('\n') };
  }
  throw new Error(`no file of server/src/http has a method ${call}`);
}

/** Every code that stands in the handler, or in a file that it reaches. More than it throws; never less. */
export function throwable(call: string): Set<ErrorCode> {
  const { file, text } = handlerOf(call);
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { file: next } of importsOf(path)) follow(next);
  };
  for (const { names, file: next } of importsOf(file)) {
    if (names.some((name) => new RegExp(`\\b${name}\\b`).test(text))) follow(next);
  }
  const texts = [text, ...[...reached].map((path) => readFileSync(path, 'utf8'))];
  return new Set(
    (Object.keys(errors) as ErrorCode[]).filter((code) =>
      texts.some((source) => source.includes(`'${code}'`) || source.includes(`errors.${code}`)),
    ),
  );
}
