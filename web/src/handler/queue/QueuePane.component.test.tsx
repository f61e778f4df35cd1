import { visitorLabel } from '@settee/protocol/model/visitor';
import { expect, test } from 'vitest';
import { aChat, ana } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const HOUR = 3_600_000;

test('[H-01] an empty queue shows the handler and says that nothing is assigned', async () => {
  const { screen } = await renderConsole({ chats: [] });
  await expect.element(screen.getByText(`Handler: ${ana.alias}`)).toBeVisible();
  await expect
    .element(screen.getByText("You don't have any open conversations assigned to you."))
    .toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Sign Out' }).first()).toBeVisible();
});

test('[H-02] a row shows the name or a label, the last message, its age and whether the visitor is here', async () => {
  const { screen, gateway, chats } = await renderConsole({
    chats: [
      aChat('Léa Moreau', [], { row: { lastMessageAt: Date.now() } }),
      aChat('Guest', ['Is anybody there?'], {
        row: { visitorName: '', lastMessageAt: Date.now() - 3.5 * HOUR },
      }),
    ],
  });
  gateway.push({ type: 'visitors', here: chats.map(({ conversation }) => conversation.id), left: [] });
  await expect.element(screen.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  const named = screen.getByRole('link', { name: /Léa Moreau/ });
  const unnamed = screen.getByRole('link', { name: new RegExp(visitorLabel(idOf('visitor Guest'))) });
  await expect.element(named.getByText('Just now')).toBeVisible();
  await expect.element(unnamed.getByText('Is anybody there?')).toBeVisible();
  await expect.element(unnamed.getByText('3h ago')).toBeVisible();
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.background = 'var(--online)';
  const green = getComputedStyle(probe).backgroundColor;
  probe.remove();
  for (const row of [named, unnamed]) {
    const dot = () => row.element().querySelector('[class*="dot"]') ?? document.body;
    await expect.poll(() => getComputedStyle(dot()).backgroundColor).toBe(green);
  }
});

test('[H-03] the queue shows that it loads', async () => {
  const session = Promise.withResolvers<void>();
  const queue = Promise.withResolvers<void>();
  const { screen, gateway } = await renderConsole({
    atOnce: true,
    answers: {
      async refreshStaff() {
        await session.promise;
        return { staff: ana, idToken: 'id-token', expiresAt: Date.now() + HOUR };
      },
      async readQueue() {
        await queue.promise;
        return { rows: [] };
      },
    },
  });
  // The socket does not bring the queue either.
  gateway.onFrame.watchQueue = () => [];
  session.resolve();
  const loading = screen.getByText('Loading your queue...');
  await expect.element(loading).toBeVisible();
  queue.resolve();
  await expect.element(screen.getByText('No conversations')).toBeVisible();
  await expect.element(loading).not.toBeInTheDocument();
});
