import { afterEach, expect, test } from 'vitest';
import { Refused } from '../../test/fakeGateway.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

const { dataset } = document.documentElement;
afterEach(() => {
  delete dataset.tap;
});

test('a tap before the app has loaded starts the chat once', async () => {
  dataset.tap = 'kept';
  const { screen, gateway } = await renderVisitor({ attached: false });
  await expect.element(screen.getByLabelText('Display Name')).toBeVisible();
  expect(gateway.asked('seeInvite')).toHaveLength(1);
  // The preloader may still be visible, and stays busy.
  expect(dataset.tap).toBe('taken');
});

test('a tap is dropped if the page shows an error', async () => {
  dataset.tap = 'kept';
  const { screen, gateway } = await renderVisitor({
    attached: false,
    atOnce: true,
    answers: { checkInvite: () => new Refused('invite_not_found') },
  });
  await expect.element(screen.getByRole('heading', { name: 'Unable to access chat' })).toBeVisible();
  expect(gateway.asked('seeInvite')).toEqual([]);
  expect(dataset.tap).toBeUndefined();
});

test('a tap is dropped if the chat was started on another device meanwhile', async () => {
  dataset.tap = 'kept';
  const { screen, gateway } = await renderVisitor({ attached: false, invite: 'BOUND' });
  await expect.element(screen.getByRole('button', { name: 'Start chat' })).toBeEnabled();
  expect(gateway.asked('seeInvite')).toEqual([]);
  expect(dataset.tap).toBeUndefined();
});
