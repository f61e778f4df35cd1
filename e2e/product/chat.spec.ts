import { createHandler, createInvite } from './accounts.ts';
import { bubbles, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

test(
  '[R-02] [V-14] [K-04] [S-11] [S-04] [S-07] a visitor and a handler chat, each in an own browser',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const { page: visitor } = await newPerson(browser);
    const { page: desk } = await newPerson(browser);
    await signIn(desk, handler);
    await expect(desk.getByText('No conversations')).toBeVisible();

    await startChat(visitor, createInvite(handler.alias), 'Jonas Weber');
    await expect(visitor.getByText('Online')).toBeVisible();
    await send(visitor, '  How did the reading in Lyon land?  ');
    await expect(bubbles(visitor, 'out')).toHaveText([/How did the reading in Lyon land\?/]);
    await expect(visitor.getByText('Sent')).toBeVisible();

    const row = desk.getByRole('link', { name: /Jonas Weber/ });
    await expect(row).toContainText('How did the reading in Lyon land?');
    await expect(desk.getByRole('heading', { name: 'My Queue (1)' })).toBeVisible();
    await row.click();
    await expect(desk.getByText('Chat with')).toBeVisible();
    // The server drops typing signals of a page that does not watch the conversation yet.
    await expectTexts(desk, ['How did the reading in Lyon land?']);
    const reply = desk.getByPlaceholder('Type your message...');
    await reply.pressSequentially('They loved it.');
    await expect(visitor.getByText('is typing')).toBeAttached();
    await reply.press('Enter');
    await expectTexts(visitor, ['How did the reading in Lyon land?', 'They loved it.']);
    await expectTexts(desk, ['How did the reading in Lyon land?', 'They loved it.']);
    await expect(bubbles(visitor, 'in')).toHaveText([/They loved it\./]);
    await expect(bubbles(desk, 'out')).toHaveText([/They loved it\./]);
    await expect(desk.getByText('Seen')).toBeVisible();
  },
);
