import { expect, test } from 'vitest';
import { renderVisitor } from '../../test/renderVisitor.tsx';
import { visitorDrafts } from './sendDraft.ts';

test('[MSG-19] a text whose page closed during Send is sent by the next page, and the field is empty', async () => {
  const first = await renderVisitor();
  const { id } = first.chat.conversation;
  await first.screen.unmount();
  visitorDrafts.write(id, 'hello');
  const sending = { id: '5d0e4c64-52a5-4a52-8f0c-5b9e7a1a2b3c', text: 'hello' };
  visitorDrafts.write(`${id}.sending`, JSON.stringify([sending]));

  const { screen, chat } = await renderVisitor();
  expect(chat.conversation.id).toBe(id);
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(chat.messages).toMatchObject([sending]);
  await expect.element(screen.getByPlaceholder('Message...')).toHaveValue('');
  expect(visitorDrafts.read(`${id}.sending`)).toBe('');
});
