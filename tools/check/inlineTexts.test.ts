import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { staffCatalogue, visitorCatalogue } from '../../protocol/src/texts/catalogues.ts';

const ROOT = join(import.meta.dirname, '../..');

const FORBIDDEN: [what: string, code: string][] = [
  ['a text', '<p>Hello</p>'],
  ['a string', "<p>{open ? 'Open' : texts.closed}</p>"],
  ['a string after a condition', "<p>{open && 'Open'}</p>"],
  ['a template', `<p>{\`\${name} wrote\`}</p>`],
  ['a label', '<button aria-label="Close" />'],
  ['the title of the page', "document.title = 'Console'"],
  ['an attribute', "element.setAttribute('title', 'Close')"],
  ['a refusal', "throw new Refusal('bad_request', 'That is too long')"],
  ['the rule of a field', "v.maxLength(40, 'Too long')"],
  ['a date of a fixed language', "new Intl.DateTimeFormat('en-GB').format(at)"],
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
  'server/src',
  // SQL, the line breaks of mails, the time of a wall clock, and what only operators see.
  ':!server/src/**/*.store.ts',
  ':!server/src/mail/compose.ts',
  ':!server/src/profile/wallClock.ts',
  ':!server/src/cli',
  ':!server/src/doctor',
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

test('every table of texts is in a catalogue, so that it can be translated', () => {
  const tables = globSync('protocol/src/texts/*exts.ts', { cwd: ROOT }).flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/(?<=^export const )\w*[tT]exts(?= = \{)/gm) ?? [],
  );
  expect(tables.sort()).toEqual(Object.keys({ ...visitorCatalogue, ...staffCatalogue }).sort());
});

/** Attributes, and properties of components, that people read or hear. */
const SHOWN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'hint',
  'label',
  'note',
  'placeholder',
  'text',
  'title',
]);

/** The same in every language: the product's name, names of keys, and the name of a person in a picture. */
const UNTRANSLATED = /^(?:settee|Ctrl|Alt|K|Jonas Weber|JW)$/i;

function needsTranslation(text: string): boolean {
  return /\p{L}/u.test(text) && !UNTRANSLATED.test(text.trim());
}

/** What this code shows to people without a catalogue: texts, and dates or numbers of a fixed language. */
function inlineTexts(path: string, code: string): string[] {
  const found: string[] = [];
  const check = (shown: ESTree.Node | null | undefined): void => {
    found.push(...textsIn(shown).filter(needsTranslation));
  };
  new Visitor({
    JSXElement: ({ children }) => children.forEach(check),
    JSXFragment: ({ children }) => children.forEach(check),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && SHOWN.has(name.name)) check(value);
    },
    AssignmentExpression({ left, right }) {
      if (left.type === 'MemberExpression' && nameOf(left.property) === 'title') check(right);
    },
    Property({ key, value }) {
      if (SHOWN.has(nameOf(key))) check(value);
    },
    NewExpression({ callee, arguments: [first, second] }) {
      if (nameOf(callee) === 'Refusal') check(second);
      if (isIntl(callee)) check(first);
    },
    CallExpression({ callee, arguments: given }) {
      const [first, second] = given;
      if (isIntl(callee)) check(first);
      if (callee.type !== 'MemberExpression') return;
      const name = nameOf(callee.property);
      if (name === 'setAttribute' && first?.type === 'Literal' && SHOWN.has(String(first.value)))
        check(second);
      // A rule of Valibot. Messages in lower case are for programs.
      if (nameOf(callee.object) === 'v' && given.length > 1) {
        found.push(...textsIn(given.at(-1)).filter((text) => /^\p{Lu}/u.test(text)));
      }
      if (/^toLocale.*String$/.test(name)) found.push(name);
    },
  }).visit(parseSync(path, code).program);
  return found;
}

/** The same for a page. */
function inlineTextsOfPage(html: string): string[] {
  const shown = html.replaceAll(/<!--.*?-->|<(script|style)\b.*?<\/\1>|\{\{.*?\}\}/gs, '');
  const attributes = shown.matchAll(
    / (?:alt|aria-label|title|placeholder|name="description" content)="([^"]*)"/g,
  );
  return [...shown.split(/<[^>]*>/), ...Array.from(attributes, ([, value = '']) => value)].filter(
    needsTranslation,
  );
}

function nameOf(node: ESTree.Node): string {
  return node.type === 'Identifier' ? node.name : '';
}

function isIntl(callee: ESTree.Node): boolean {
  if (callee.type !== 'MemberExpression' || nameOf(callee.object) !== 'Intl') return false;
  return /Format$|Rules$|Collator$/.test(nameOf(callee.property));
}

/** The texts that this expression can be. A call makes its own text, and is not searched. */
function textsIn(node: ESTree.Node | null | undefined): string[] {
  switch (node?.type) {
    case 'JSXText':
      return [node.value];
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [...node.quasis.map(({ value }) => value.raw), ...node.expressions.flatMap(textsIn)];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return textsIn(node.expression);
    case 'ConditionalExpression':
      return [...textsIn(node.consequent), ...textsIn(node.alternate)];
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? [] : textsIn(node.left)), ...textsIn(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...textsIn(node.left), ...textsIn(node.right)] : [];
    default:
      return [];
  }
}
