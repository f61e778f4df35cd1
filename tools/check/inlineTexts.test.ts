import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inlineTexts, inlineTextsOfPage } from './inlineTexts.ts';

const ROOT = join(import.meta.dirname, '../..');

const FORBIDDEN: [what: string, code: string][] = [
  ['a text', '<p>Hello</p>'],
  ['a text of a fragment', '<>Hello</>'],
  ['a text among expressions', '<p>{count} chats</p>'],
  ['a string', "<p>{open ? 'Open' : texts.closed}</p>"],
  ['a string after a condition', "<p>{open && 'Open'}</p>"],
  ['a string in place of nothing', "<p>{name ?? 'Nobody'}</p>"],
  ['a sum', "<p>{count + ' chats'}</p>"],
  ['a template', `<p>{\`\${name} wrote\`}</p>`],
  ['a label', '<button aria-label="Close" />'],
  ['a label from two texts', `<button aria-label={\`\${texts.edit} the \${name}\`} />`],
  ['a placeholder', '<input placeholder="Your name" />'],
  ['the property of a component', '<Dialog title="Settings" />'],
  ['the title of the page', "document.title = 'Console'"],
  ['an attribute', "element.setAttribute('title', 'Close')"],
  ['a refusal', "throw new Refusal('bad_request', 'That is too long')"],
  ['a refusal with a value', `throw new Refusal('bad_request', \`At most \${max}\`)`],
  ['the rule of a field', "v.maxLength(40, 'Too long')"],
  ['a date of a fixed language', "new Intl.DateTimeFormat('en-GB').format(at)"],
  ['a number of a fixed language', "count.toLocaleString('en')"],
  ['a number of the browser’s language', 'count.toLocaleString()'],
];

const ALLOWED = [
  '<p>{texts.hello} ({count}) · {name}</p>',
  "<button className={open ? 'open' : 'closed'} type=\"button\" aria-label={texts.close} />",
  '<span>settee</span>',
  "<p>{state === 'open' && texts.open}</p>",
  "throw new Refusal('bad_request', texts.tooLong)",
  'new Intl.DateTimeFormat(localeOf()).format(at)',
];

/** Where people see texts. The catalogues are in protocol/src/texts. */
const FOLDERS = [
  'web',
  'protocol/src/calls',
  'protocol/src/model',
  'protocol/src/render',
  'server/src/actions',
  'server/src/auth',
  'server/src/http',
];

function inFiles(name: RegExp, find: (path: string, content: string) => string[]): string[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...FOLDERS], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => name.test(file))
    .flatMap((file) =>
      find(file, readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text.trim()}`),
    );
}

test('[LANG-04] nothing that people see is outside the catalogues', () => {
  for (const [what, code] of FORBIDDEN) expect([what, inlineTexts('a.tsx', code).length]).toEqual([what, 1]);
  for (const code of ALLOWED) expect(inlineTexts('a.tsx', code)).toEqual([]);

  expect(inFiles(/^(?!web\/test\/).*(?<!\.test)\.tsx?$/, inlineTexts)).toEqual([]);
});

test('[LANG-04] the texts of the pages are in the catalogues', () => {
  for (const html of ['<h1>Hello</h1>', '<img alt="Hello">', '<meta name="description" content="Hello">']) {
    expect(inlineTextsOfPage(html)).toEqual(['Hello']);
  }
  expect(inlineTextsOfPage('<h1 title="{{texts.hello}}">{{name}} · <!-- a note --></h1>')).toEqual([]);
  expect(inFiles(/^web\/\w+\.html$/, (_, html) => inlineTextsOfPage(html))).toEqual([]);
});
