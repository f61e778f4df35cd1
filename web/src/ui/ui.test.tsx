import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Seal } from './Seal.tsx';

function drawn(size: 'small' | 'medium' | 'large'): { width: number; rest: string } {
  const markup = renderToStaticMarkup(<Seal label="This is the official profile." size={size} />);
  const width = Number(/width="(\d+)" height="\1"/.exec(markup)?.[1]);
  return { width, rest: markup.replace(`width="${width}" height="${width}"`, '') };
}

test('[B-07] the verified badge has three sizes of one drawing', () => {
  const [small, medium, large] = [drawn('small'), drawn('medium'), drawn('large')];
  expect(small.width).toBeGreaterThan(0);
  expect(medium.width).toBeGreaterThan(small.width);
  expect(large.width).toBeGreaterThan(medium.width);
  expect([medium.rest, large.rest]).toEqual([small.rest, small.rest]);
});
