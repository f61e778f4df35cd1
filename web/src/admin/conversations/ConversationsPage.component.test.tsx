import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

/** Whether nothing hides the upper and lower edge of an element. */
function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 20, y)));
}

test('while another filter of conversations loads, nothing shows as missing, and the old rows are dimmed', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/conversations?show=closed',
    chats: [aChat('Jonas Weber')],
  });
  const noMatches = screen.getByText(adminTexts.noMatches);
  const show = (name: string) => screen.getByRole('radio', { name: new RegExp(`^${name}`) }).click();
  const dimmedRow = () => document.querySelector('main [aria-busy="true"] tbody tr')?.textContent;
  await expect.element(noMatches).toBeVisible();
  const release = gateway.hold('listConversations');
  await show(texts.open);
  await expect.element(screen.getByRole('main').getByText(adminTexts.adminLoading)).toBeVisible();
  await expect.element(noMatches).not.toBeInTheDocument();
  release();
  await expect.element(screen.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();
  expect(dimmedRow()).toBeUndefined();

  const releaseAgain = gateway.hold('listConversations');
  await show(texts.blocked);
  await expect.poll(dimmedRow).toContain('Jonas Weber');
  releaseAgain();
  await expect.element(noMatches).toBeVisible();
});

test('messages of every desk are found, announced, and open in their place', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => ({ sender: 'owner' as const, text: `Page ${n}` }));
  const chat = aChat('Jonas Weber', ['Is the garden tour still on?', ...lines]);
  const { id, visitorId, visitorName, handlerAlias } = chat.conversation;
  const found = {
    conversationId: id,
    visitorId,
    visitorName,
    status: 'open' as const,
    handlerAlias,
    seq: 1,
    sender: 'visitor' as const,
    text: 'Is the garden tour still on?',
    createdAt: Date.now(),
  };
  const { screen, gateway } = await renderAdmin({
    path: '/admin/conversations',
    chats: [chat],
    answers: {
      searchMessages: ({ query }) => ({ messages: query.q === 'garden' ? [found] : [], complete: true }),
    },
  });
  const field = screen.getByRole('searchbox');
  await field.fill('garden');
  await expect.element(screen.getByRole('heading', { name: adminTexts.noMatches })).toBeVisible();
  await screen.getByRole('radio', { name: texts.inMessages }).click();
  const row = screen.getByRole('table', { name: texts.searchMessages }).getByRole('row').nth(1);
  await expect.poll(() => row.query()?.textContent).toContain('Is the garden tour still on?');
  expect(row.element().querySelector('mark')?.textContent).toBe('garden');
  await expect.element(screen.getByText('1 found')).toBeInTheDocument();
  await row.getByRole('link').click();
  await expect.poll(() => location.search).toMatch(/[?&]message=1$/);
  expect(location.pathname).toBe(`/admin/conversations/${id}`);
  const pane = screen.getByRole('region', { name: texts.thread });
  await expect.poll(() => isInView(pane.getByText('Is the garden tour still on?').query())).toBe(true);

  // Typing does not search; Enter does.
  expect(gateway.asked('searchMessages')).toHaveLength(1);
  await field.fill('garden nothing');
  await expect.element(screen.getByText(texts.pressEnter)).toBeVisible();
  expect(gateway.asked('searchMessages')).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Nothing found')).toBeInTheDocument();
  expect(gateway.asked('searchMessages').map(({ query }) => query.q)).toEqual(['garden', 'garden nothing']);
});

test('a double click on Close closes, and does not reopen', async () => {
  const chat = aChat('Dora');
  const { conversation } = chat;
  const { screen, gateway } = await renderAdmin({
    path: `/admin/conversations/${idOf('Dora')}`,
    chats: [chat],
  });
  // The server reports the new status to every page that shows the conversation.
  gateway.answer('setStatus', ({ body }) => {
    conversation.status = body.status;
    conversation.rev += 1;
    gateway.push({ type: 'conversation', conversation });
    return { conversation };
  });
  const pane = screen.getByRole('region', { name: texts.thread });
  const close = pane.getByRole('button', { name: texts.close, exact: true });
  const reopen = pane.getByRole('button', { name: texts.reopen });
  const changes = () => gateway.asked('setStatus').map(({ body }) => body.status);
  // As fast as the server: at the second click the button already says Reopen.
  await close.click();
  await expect.element(reopen).toBeVisible();
  await userEvent.dblClick(reopen);
  await expect.element(close).toBeVisible();
  expect(changes()).toEqual(['closed', 'open']);

  // As slow as possible: the second click comes while the first call is in flight.
  const release = gateway.hold('setStatus');
  await close.click();
  await expect.element(close).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  release();
  await expect.element(reopen).toBeVisible();
  expect(changes()).toEqual(['closed', 'open', 'closed']);
});
