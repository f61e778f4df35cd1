import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { afterEach, expect, test } from 'vitest';
import { idOf } from '../../test/idOf.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';
import { mailedConversation, pathOfChat } from './mailedChat.ts';

afterEach(() => localStorage.clear());

test('[MAIL-04] a mail leads to the chat of its conversation, in a browser that has it', async () => {
  const id = idOf('mailed');
  localStorage.setItem('seat_other', idOf('another'));
  localStorage.setItem('seat_a0token', id);
  expect(mailedConversation(`#${id}`)).toBe(id);
  expect(pathOfChat(id)).toBe('/i/a0token');
  expect(pathOfChat(idOf('unknown'))).toBeUndefined();
  for (const other of ['', '#', '#settings', `#${id}x`]) expect(mailedConversation(other)).toBeUndefined();
});

test('[MAIL-04] another browser is told where the chat is', async () => {
  const { screen } = await renderVisitor({ path: `/chat#${idOf('elsewhere')}`, atOnce: true });
  await expect.element(screen.getByRole('heading', { name: visitorMailTexts.elsewhereTitle })).toBeVisible();
});
