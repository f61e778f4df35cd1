import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { NameGate } from './NameGate.tsx';

const gate = (height: number) => (
  <div style={{ display: 'flex', flexDirection: 'column', height }}>
    <NameGate saving={false} error={null} onName={() => {}} />
  </div>
);

test('in the drawing a person sits down once the name is valid; it makes room for a keyboard', async () => {
  const screen = await render(gate(700));
  const drawing = () => screen.container.querySelector<SVGElement>('[data-seats]');
  const field = screen.getByLabelText('Display Name');
  expect(drawing()?.dataset.seats).toBe('empty');
  expect(drawing()?.checkVisibility()).toBe(true);
  await field.fill('A');
  expect(drawing()?.dataset.seats).toBe('empty');
  await field.fill('Ana');
  await expect.poll(() => drawing()?.dataset.seats).toBe('one');
  await field.fill('ana@example.org');
  await expect.poll(() => drawing()?.dataset.seats).toBe('empty');

  await screen.rerender(gate(360));
  await expect.poll(() => drawing()?.checkVisibility()).toBe(false);
  const { bottom } = screen.getByRole('button', { name: 'Start Chatting' }).element().getBoundingClientRect();
  expect(bottom).toBeLessThan(360);
});
