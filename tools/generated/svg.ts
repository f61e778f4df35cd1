// Boxes and arrows in the colours of the product.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Theme = 'light' | 'dark';
export type Box = { x: number; y: number; width: number; height: number };

const tokens = readFileSync(join(import.meta.dirname, '../../web/src/design/tokens.css'), 'utf8');

/** The value of a token of web/src/design/tokens.css. */
function token(name: string, theme: Theme): string {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
  const value = theme === 'light' ? light : dark;
  if (value === undefined) throw new Error(`tokens.css has no colour --${name}`);
  return value;
}

const FONT = "Figtree, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const CODE = 'ui-monospace, Menlo, Consolas, monospace';

export function svg(
  theme: Theme,
  title: string,
  size: { width: number; height: number },
  parts: string[],
): string {
  const colours = {
    '.group': `fill:${token('sunken', theme)};stroke:${token('line', theme)}`,
    '.box': `fill:${token('surface', theme)};stroke:${token('line-strong', theme)}`,
    '.truth': `fill:${token('brand-soft', theme)};stroke:${token('brand-text', theme)}`,
    '.arrow': `fill:none;stroke:${token('brand-text', theme)};stroke-width:1.75`,
    '.head': `fill:${token('brand-text', theme)}`,
    text: `font:400 14px ${FONT};fill:${token('ink', theme)}`,
    '.name': 'font-weight:600;font-size:16px',
    '.quiet': `fill:${token('ink-2', theme)}`,
    '.code': `font:400 12px ${CODE};fill:${token('ink-3', theme)}`,
  };
  const style = Object.entries(colours).map(([selector, rules]) => `${selector}{${rules}}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${title}</title>`,
    `<style>${style.join('')}</style>`,
    `<rect width="${size.width}" height="${size.height}" rx="16" fill="${token('paper', theme)}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

export function rectangle(kind: 'group' | 'box' | 'truth', { x, y, width, height }: Box): string {
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${kind === 'group' ? 16 : 10}"/>`;
}

export function text(
  kind: 'name' | 'quiet' | 'code',
  x: number,
  y: number,
  content: string,
  anchor = 'start',
): string {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}

/** A box with a name, what it is for, and where its code is. */
export function labelled(
  kind: 'box' | 'truth',
  box: Box,
  name: string,
  purpose: string[],
  code: string,
): string {
  const middle = box.x + box.width / 2;
  const top = box.y + box.height / 2 - 4 - 10 * purpose.length;
  const end = top + 20 * purpose.length + 19;
  return [
    rectangle(kind, box),
    text('name', middle, top, name, 'middle'),
    ...purpose.map((line, i) => text('quiet', middle, top + 20 * (i + 1), line, 'middle')),
    text('code', middle, end, code, 'middle'),
  ].join('');
}

type Point = [x: number, y: number];

/** A line through the points with a head at its end, and at its start if it goes both ways. */
export function arrow(points: [Point, ...Point[]], both = false): string {
  const path = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
  const end = head(points.at(-2) ?? points[0], points.at(-1) ?? points[0]);
  const start = both ? head(points[1] ?? points[0], points[0]) : '';
  return `<path class="arrow" d="${path}"/>${end}${start}`;
}

function head([fromX, fromY]: Point, [x, y]: Point): string {
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  return `<path class="head" d="M0 0 L-10 -5 L-10 5 Z" transform="translate(${x} ${y}) rotate(${angle})"/>`;
}
