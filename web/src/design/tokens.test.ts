import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function declarations(selector: string): string[] {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return block
    .split(';')
    .map((line) => line.trim())
    .filter(Boolean);
}

test('dark by wish of the system and dark by choice are the same theme', () => {
  const bySystem = declarations(':root:not([data-theme="light"])');
  expect(bySystem.length).toBeGreaterThan(20);
  expect(bySystem).toEqual(declarations(':root[data-theme="dark"]'));
});
