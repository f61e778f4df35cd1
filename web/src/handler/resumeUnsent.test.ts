import type { Up } from '@settee/protocol/frames/up';
import { expect, test } from 'vitest';
import { aLive } from '../../test/aLive.ts';
import { fakeClock } from '../../test/fakeClock.ts';
import { anUnsent } from '../../test/unsent.ts';
import { guard } from '../chat/model/guard.ts';
import { startLiveConversation } from '../chat/model/liveConversation.ts';
import { memoryOutbox } from '../chat/outbox/outbox.ts';
import { openChats } from './openChats.ts';
import { resumeUnsent } from './resumeUnsent.ts';

async function setUp(conversationIds: string[]) {
  const outbox = memoryOutbox();
  for (const [i, conversationId] of conversationIds.entries())
    await outbox.put(anUnsent(`m${i}`, { conversationId, after: 0 }));
  const sent: Up[] = [];
  const live = aLive({ send: (frame) => sent.push(frame) });
  const clock = fakeClock();
  const start = (id: string) =>
    startLiveConversation({
      id,
      me: 'owner',
      guarded: guard,
      live,
      outbox,
      clock,
      random: () => 0,
      createId: () => 'x',
    });
  const chats = openChats(
    start,
    () => {},
    () => false,
    2,
  );
  const stopped = new AbortController();
  return {
    outbox,
    stopped,
    resume: () => resumeUnsent(outbox, chats, stopped.signal),
    sent: (type: Up['type']) =>
      sent.flatMap((frame) =>
        frame.type === type && 'conversationId' in frame ? [frame.conversationId] : [],
      ),
    chats,
  };
}

test('[CONSOLE-49] every chat with unsent text is followed again after a reload, however many there are', async () => {
  const { resume, sent, chats } = await setUp(['a', 'b', 'a', 'c', 'd']);
  await resume();
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent('watch')).toEqual(['a', 'b', 'c', 'd']);
  expect(
    chats
      .open('a')
      .state()
      .pending.map(({ id }) => id),
  ).toEqual(['m0', 'm2']);
  chats.open('e');
  expect(sent('unwatch')).toEqual([]);
});

test('[CONSOLE-49] after signing out nothing opens any more', async () => {
  const { resume, sent, stopped } = await setUp(['a']);
  const resuming = resume();
  stopped.abort();
  await resuming;
  expect(sent('watch')).toEqual([]);
});
