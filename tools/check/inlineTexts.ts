import { type ESTree, parseSync, Visitor } from 'vite';

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
export function inlineTexts(path: string, code: string): string[] {
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
export function inlineTextsOfPage(html: string): string[] {
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
