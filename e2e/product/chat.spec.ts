import { createHandler, createInvite } from './accounts.ts';
import {
  bannerCode,
  bubbles,
  expectTexts,
  newPerson,
  openWithCode,
  send,
  signIn,
  startChat,
  words,
} from './people.ts';
import { expect, test } from './watched.ts';

test('[R-02] [V-14] [K-04] [S-11] a visitor and a handler chat, each in an own browser', async ({
  browser,
}) => {
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
  await send(desk, 'They loved it.');
  await expectTexts(visitor, ['How did the reading in Lyon land?', 'They loved it.']);
  await expectTexts(desk, ['How did the reading in Lyon land?', 'They loved it.']);
  await expect(bubbles(visitor, 'in')).toHaveText([/They loved it\./]);
  await expect(bubbles(desk, 'out')).toHaveText([/They loved it\./]);
  await expect(desk.getByText('Seen')).toBeVisible();
});

test('[MSG-11] three devices of one conversation show the same, live', async ({ browser }) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: phone } = await newPerson(browser);
  const { page: laptop } = await newPerson(browser);
  const { page: desk } = await newPerson(browser);
  await startChat(phone, invite, 'Mia');
  const code = await bannerCode(phone);

  await openWithCode(laptop, invite, 'Mia', code);
  await expect(laptop.getByPlaceholder('Message...')).toBeVisible();

  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Mia/ }).click();
  await send(phone, 'from the phone');
  await send(laptop, 'from the laptop');
  await expect(bubbles(desk)).toHaveCount(2);
  await send(desk, 'to both');
  const texts = await words(desk).allInnerTexts();
  for (const page of [phone, laptop]) await expectTexts(page, texts);
});
