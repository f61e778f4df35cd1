import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');

const sheets = globSync('**/*.css', { cwd: src }).map((path) => ({
  path,
  css: readFileSync(join(src, path), 'utf8'),
}));

const found = (pattern: RegExp) =>
  sheets.flatMap(({ path, css }) => [...css.matchAll(pattern)].map(([rule]) => `${path}: ${rule}`));

test("no text has a size in px: the browser's text size applies everywhere", () => {
  expect(sheets.length).toBeGreaterThan(100);
  expect(found(/(?:\bfont(-size)?|\bline-height|--t-\w+):[^;]*\dpx[^;]*;/g)).toEqual([]);
});

test('no text is slanted: there is no italic font, and a browser would slant the upright one', () => {
  expect(found(/\bfont(-style)?:[^;]*(italic|oblique)[^;]*;/g)).toEqual([]);
});

test('padding, margin and gap use the spacing tokens of tokens.css', () => {
  const tokens = sheets.find(({ path }) => path === 'design/tokens.css')?.css ?? '';
  const sizes = [...tokens.matchAll(/--space-(\d+): \1px;/g)].map(([, size]) => size);
  expect(sizes.length).toBeGreaterThan(10);
  const raw = `(?<![-\\w])(?:\\w+-)?(?:padding|margin|gap)[\\w-]*:[^;]*(?<![-.\\w])(?:${sizes.join('|')})px\\b[^;]*;`;
  expect(found(new RegExp(raw, 'g'))).toEqual([]);
});

test('a width query names one of the four widths of tokens.css', () => {
  const queries = found(/\((?:min-|max-)?(?:width|inline-size)[^)]*\)(?= (?:and|\{)|,)/g);
  expect(queries.length).toBeGreaterThan(50);
  const others = queries.filter((query) => !/\(width (?:<|>=) (?:480|768|900|1280)px\)$/.test(query));
  // Inside a list, the last columns.
  expect(others).toEqual(['admin/parts/ListTable.module.css: (width < 1060px)']);
});

test('lengths and sides are logical: a page in Arabic is the mirror of one in English', () => {
  const side = '(?:top|right|bottom|left)';
  const physical = `(?<![-\\w(])(?:${side}|(?:min-|max-)?(?:width|height)|(?:margin|padding|border)-${side}[-\\w]*): [^;]*;`;
  expect(found(new RegExp(physical, 'g'))).toEqual([]);
  expect(found(/\b(?:text-align|float|clear): (?:left|right);/g)).toEqual([]);
  // The edges of a screen with a notch are physical, and so is a point of a drawing.
  const sides = found(/(?<![-\w])(?:margin|padding|inset): [^;()\s]+ (\S+) [^;()\s]+ (?!\1;)[^;()\s]+;/g);
  expect(sides.filter((rule) => !/inset: [^;]*auto [\d.]+%;/.test(rule))).toEqual([]);
});

/** The folders whose controls follow the sheet, without the drawings of figures. */
const controls = sheets.filter(({ path }) =>
  /^(admin|browser|chat|design|handler|push|staff|ui)\/(?!dashboard\/(Chart|Stats|InvitesCard))/.test(path),
);

const declared = (pattern: RegExp) =>
  controls.flatMap(({ path, css }) =>
    [...css.matchAll(pattern)].map(([, rule, value = '']) => ({ rule: `${path}: ${rule}`, value })),
  );

test('a control is 32, 40 or 48 px high, and takes the height from its token', () => {
  const heights = declared(/(?<![-\w])((?:min-)?(?:height|block-size): (\d+)px;)/g);
  expect(heights.length).toBeGreaterThan(30);
  const odd = heights.filter(({ value }) => Number(value) >= 28 && Number(value) < 56);
  expect(odd.map(({ rule }) => rule)).toEqual([]);
});

test('there are four radii, the pill and the circle', () => {
  const radii = declared(/(?<![-\w])(border-[-\w]*radius: ([^;]+);)/g);
  expect(radii.length).toBeGreaterThan(80);
  const allowed = /^(var\(--r-(sm|md|lg|xl|full)\)|50%|inherit|0)$/;
  const others = radii.filter(({ value }) => !allowed.test(value)).map(({ rule }) => rule);
  // In every size, a square that differs from the circle of a person.
  expect(others).toEqual(['staff/ProfilePicture.module.css: border-radius: 30%;']);
});

test('there is one outline for controls, and one for the focus and a message that was looked up', () => {
  const others = declared(
    /((?:box-shadow|border): [^;]*\d(?:\.\d)?px (?:solid )?var\(--line-strong\)[^;]*;)/g,
  );
  const dots = /0 0 0 2px/;
  expect(others.map(({ rule }) => rule).filter((rule) => !dots.test(rule) && !/tokens/.test(rule))).toEqual(
    [],
  );
  const rings = declared(/(?<!-)(outline: ([^;]+);)/g);
  const allowed = /^(none|0|2px solid( (transparent|Highlight|var\(--(focus|lamp)\)))?)$/;
  expect(rings.filter(({ value }) => !allowed.test(value)).map(({ rule }) => rule)).toEqual([]);
});

test('a disabled control does not look like one under the pointer', () => {
  const rules = controls.flatMap(({ path, css }) =>
    [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
      path,
      selector,
      body,
    })),
  );
  const disabled = rules.filter(({ selector }) =>
    /:disabled|aria-disabled/.test(selector.replaceAll(/:not\([^)]*\)/g, '')),
  );
  expect(disabled.length).toBeGreaterThan(3);
  expect(disabled.filter(({ body }) => /var\(--hover\)/.test(body))).toEqual([]);
});

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** WCAG's relative luminance of a colour in hex. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The colours of a theme: the first or the second value of each light-dark(). */
const theme = (position: 1 | 2) =>
  new Map(
    [...css.matchAll(/^ {2}(--[\w-]+): light-dark\((#\w+), (#\w+)\);/gm)].map((found): [string, string] => [
      found[1] ?? '',
      found[position + 1] ?? '',
    ]),
  );

/** Marks of fields, choices and focus, each with its background. */
const marks = [
  ['--line-strong', '--surface'],
  ['--line-strong', '--paper'],
  ['--line-strong', '--sunken'],
  ['--brand-text', '--surface'],
  ['--brand-text', '--raised'],
  ['--brand-text', '--ticked'],
  ['--brand-text', '--brand-soft'],
  ['--focus', '--surface'],
  ['--focus', '--paper'],
  ['--ink', '--surface'],
  ['--danger', '--surface'],
] as const;

test.each([1, 2] as const)('marks have a contrast of 3:1 to their background (theme %i)', (position) => {
  const tokens = theme(position);
  for (const [mark, ground] of marks) {
    const ratio = contrast(tokens.get(mark) ?? '', tokens.get(ground) ?? '');
    expect(ratio, `${mark} on ${ground}`).toBeGreaterThanOrEqual(3);
  }
});

test('the open row of the queue stands out more than the one under the pointer', () => {
  // 4 % of the ink are 1.1:1 at most.
  expect(found(/\.row:hover \{\s+--dot-ring: color-mix\(in srgb, var\(--ink\) 4%, /g)).toHaveLength(1);
  for (const tokens of [theme(1), theme(2)])
    expect(contrast(tokens.get('--raised') ?? '', tokens.get('--sunken') ?? '')).toBeGreaterThan(1.15);
});
