import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SetteeDrawing } from './SetteeDrawing.tsx';

test('two settees on one page share no id, and the drawing is hidden from screen readers', () => {
  const markup = renderToStaticMarkup(
    <>
      <SetteeDrawing seats="empty" />
      <SetteeDrawing seats="two" width={96} />
    </>,
  );
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBe(4);
  expect(new Set(ids).size).toBe(4);
  for (const [, id] of markup.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
  expect(markup.match(/<svg[^>]*aria-hidden="true"/g)).toHaveLength(2);
});
