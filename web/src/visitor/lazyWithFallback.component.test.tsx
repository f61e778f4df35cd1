import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { lazyWithFallback } from './lazyWithFallback.tsx';

test('[NET-14] a part that arrives during its second render is shown', async () => {
  let arrive = (_part: () => string) => {};
  let asked = 0;
  const Part = lazyWithFallback(() => {
    asked += 1;
    return new Promise<() => string>((resolve) => (arrive = resolve));
  });
  /** Runs after the render and before the effects of the second copy. */
  function Arrival() {
    useLayoutEffect(() => arrive(() => 'here'), []);
    return null;
  }
  const [first, second] = [document.createElement('p'), document.createElement('p')];
  createRoot(first).render(<Part />);
  await expect.poll(() => asked).toBe(1);
  createRoot(second).render(
    <>
      <Part />
      <Arrival />
    </>,
  );
  await expect.poll(() => first.textContent).toBe('here');
  await expect.poll(() => second.textContent).toBe('here');
});
