import { afterEach, expect, test, vi } from 'vitest';
import { Refused } from '../../test/fakeGateway.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';
import { loadForms } from './loadForms.ts';

vi.mock('./loadForms.ts', { spy: true });
afterEach(() => {
  vi.restoreAllMocks();
  vi.mocked(loadForms).mockReset();
});

test('[V-03] [S-02] [V-07] Start chat and Start Chatting show that they are busy', async () => {
  const { forms } = await import('./forms.ts');
  const loading = Promise.withResolvers<typeof forms>();
  vi.mocked(loadForms).mockReturnValue(loading.promise);
  const { screen, gateway } = await renderVisitor({ attached: false });
  const release = gateway.hold('claimInvite');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByRole('button', { name: 'Starting chat...' })).toBeDisabled();
  loading.resolve(forms);
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await expect.element(screen.getByPlaceholder('Message...')).not.toBeInTheDocument();
  release();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  expect(gateway.asked('claimInvite')).toHaveLength(1);
});

test('[S-03] [E-02] a second device: a wrong code is refused, Continue is busy while the right one is checked', async () => {
  const { screen, gateway } = await renderVisitor({ attached: false, invite: 'BOUND', messages: ['hello'] });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await screen.getByLabelText('Display Name').fill('Mia');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  const field = screen.getByRole('textbox');
  await expect.element(screen.getByText('Continue code required')).toBeVisible();
  await field.fill('0000');
  await expect.element(screen.getByRole('alert')).toHaveTextContent("That code doesn't match. Try again");
  const release = gateway.hold('attachInvite');
  await field.fill('4821');
  await expect.element(screen.getByRole('button', { name: 'Verifying...' })).toBeDisabled();
  release();
  await expect.element(screen.getByText('hello')).toBeVisible();
});

test('[E-04] [E-11] [S-07] a profile that cannot be saved is logged, and the chat opens anyway', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { screen } = await renderVisitor({
    attached: false,
    answers: { saveProfile: () => new Refused('unavailable') },
  });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  await expect.poll(() => logged.mock.calls).toContainEqual(['saveProfile:', expect.any(String)]);
});
