import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { Refused } from '../../test/fakeGateway.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

test('[R-06] each step of the visitor’s page has its own title', async () => {
  const seen: string[] = [];
  const expectTitle = async (title: string) => {
    await expect.poll(() => document.title).toBe(title);
    expect(seen).not.toContain(title);
    seen.push(title);
  };
  const { screen } = await renderVisitor({ attached: false });
  await expectTitle('Start a conversation · Settee');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expectTitle('What should I call you? · Settee');
  await screen.getByLabelText('Display Name').fill('Léa Moreau');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  await expectTitle('Settee');
  await screen.unmount();

  const second = await renderVisitor({ attached: false, invite: 'BOUND' });
  await second.screen.getByRole('button', { name: texts.enterCode }).click();
  await expectTitle('Continue this chat · Settee');
  await second.screen.unmount();

  const closed = await renderVisitor({ conversation: { status: 'closed', canSend: false } });
  await expect.element(closed.screen.getByText(texts.closedTitle)).toBeVisible();
  await expectTitle('This conversation is closed · Settee');
  await closed.screen.unmount();

  const none = await renderVisitor({
    path: '/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    attached: false,
    atOnce: true,
    answers: { checkInvite: () => new Refused('invite_not_found') },
  });
  await expect.element(none.screen.getByText('Invite not found')).toBeVisible();
  await expectTitle('Unable to access chat · Settee');
});
