import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { aChat } from '../../../test/aDesk.ts';
import { Refused } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('[CONSOLE-33] Undo after a colleague’s block lifts no block, and says so; Unblock on a page that shows it does', async () => {
  const petra = aChat('Petra');
  const path = `/handler/conversation/${petra.conversation.id}`;
  const { screen, gateway } = await renderConsole({
    path,
    chats: [petra],
    answers: {
      // As the server does: nothing changes if the caller saw another status.
      setStatus({ body }) {
        const { conversation } = petra;
        if (body.from !== conversation.status)
          return new Refused('conversation_closed', { error: consoleTexts.statusMoved });
        conversation.status = body.status;
        conversation.rev += 1;
        return { conversation };
      },
    },
  });
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  await button('Close').click();
  await expect.element(screen.getByText('Closed the chat with Petra.')).toBeVisible();
  petra.conversation.status = 'blocked';
  await screen.getByRole('button', { name: /^Undo/ }).click();
  await expect.element(screen.getByText(consoleTexts.statusMoved)).toBeVisible();
  expect(gateway.asked('setStatus').at(-1)?.body).toEqual({ status: 'open', from: 'closed' });
  expect(location.pathname).toBe('/handler');

  await screen.unmount();
  const { screen: page } = await renderConsole({
    path,
    chats: [petra],
    answers: {
      setStatus({ body }) {
        petra.conversation.status = body.status;
        petra.conversation.rev += 1;
        return { conversation: petra.conversation };
      },
    },
  });
  const unblock = page.getByRole('button', { name: 'Unblock', exact: true });
  await expect.element(unblock).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close', exact: true })).not.toBeInTheDocument();
  await unblock.click();
  await expect.poll(() => petra.conversation.status).toBe('open');
});
