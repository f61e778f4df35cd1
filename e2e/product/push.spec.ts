import { createHandler, createInvite } from './accounts.ts';
import { newPerson, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';
import { workerOf } from './workerOf.ts';

test('[OPEN-131] try', async ({ browser }) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page, context } = await newPerson(browser);
  await context.grantPermissions(['notifications']);
  await startChat(page, invite, 'Tom');
  await send(page, 'zero');
  const hand = await workerOf(context, page);
  await hand.deliver({
    kind: 'message',
    to: 'staff',
    conversationId: '3f2b8a52-7d0e-4c39-9a55-0d6a0c1b2e3f',
    seq: 3,
    title: 'Mara',
  });
  await expect.poll(hand.shown).toHaveLength(1);
  console.log(JSON.stringify(await hand.shown()));
  await hand.click();
  console.log(await hand.opened(), await hand.focused(), await hand.shown());
});
