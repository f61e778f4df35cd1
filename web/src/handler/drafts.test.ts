import type { Up } from '@settee/protocol/frames/up';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { removeSentText } from '../chat/model/drafts.ts';
import { guard } from '../chat/model/guard.ts';
import { startLiveConversation } from '../chat/model/liveConversation.ts';
import { memoryOutbox } from '../chat/outbox/outbox.ts';
import type { Live } from '../net/live.ts';
import { draftStore, prependDraft } from './draftStore.ts';
import { clearPendingNote, noteIdFor, storePendingNote } from './notes/pendingNote.ts';
import { openChats } from './openChats.ts';
import { resumeUnsent } from './resumeUnsent.ts';
import { forgetReturned, rememberMessages, splitReturned, withoutReturned } from './returnedMessage.ts';

test('[MSG-19] only its writer has a draft, also after a reload', () => {
  const storage = memoryStorage();
  draftStore('ana', () => storage).write('c', 'Hello');
  expect(draftStore('ana', () => storage).read('c')).toBe('Hello');
  expect(draftStore('ben', () => storage).read('c')).toBe('');
});

test('[MSG-19] without storage a draft lasts as long as the page', () => {
  const drafts = draftStore('ana', () => {
    throw new Error('storage is forbidden');
  });
  drafts.write('c', 'Hello');
  expect(drafts.read('c')).toBe('Hello');
  drafts.write('c', '');
  expect(drafts.read('c')).toBe('');
});

test('[CONSOLE-16] returned text comes before what was written since, once', () => {
  expect(prependDraft('Sorry', '')).toBe('Sorry');
  expect(prependDraft('Sorry', 'and')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry\nand')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry, and')).toBe('Sorry\nSorry, and');
  expect(prependDraft('', 'and')).toBe('and');
});

test('[MSG-19] text that arrived is removed before what was written since, and nothing else', () => {
  expect(removeSentText('Sorry', 'Sorry')).toBe('');
  expect(removeSentText('Sorry', 'Sorry\nand')).toBe('and');
  expect(removeSentText('Sorry', 'Sorry, and')).toBe('Sorry, and');
  expect(removeSentText('Sorry', '')).toBe('');
});

test('[MSG-19] the same text is the same note after a reload, until it is surely stored', () => {
  const storage = memoryStorage();
  const drafts = () => draftStore('ana', () => storage);
  let minted = 0;
  const idOf = (text: string) => noteIdFor(drafts(), 'c', text, () => `n${++minted}`);
  expect([idOf('Careful'), idOf('Careful'), idOf('Other'), idOf('Careful')]).toEqual([
    'n1',
    'n1',
    'n2',
    'n3',
  ]);
  clearPendingNote(drafts(), 'c');
  expect(idOf('Careful')).toBe('n4');
  storePendingNote(drafts(), 'c', { id: 'n3', text: 'Careful' });
  expect(idOf('Careful')).toBe('n3');
});

function memoryDrafts() {
  const kept = new Map<string, string>();
  return {
    read: (id: string) => kept.get(id) ?? '',
    write: (id: string, text: string) => void kept.set(id, text),
  };
}

const one = { id: 'id-1', text: 'See you there' };
const two = { id: 'id-2', text: 'At noon?' };
const fresh = (text: string) => ({ id: expect.not.stringMatching(/^id-/) as string, text });

test('[MSG-19] returned text keeps its message id when it is sent unchanged, and only once', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [one]);
  expect(splitReturned(drafts, 'other', one.text)).toEqual([fresh(one.text)]);
  expect(splitReturned(drafts, 'chat', ' See you there\n')).toEqual([one]);
  expect(splitReturned(drafts, 'chat', 'See you there, then')).toEqual([fresh('See you there, then')]);
  expect(forgetReturned(drafts, 'chat', [one])).toBe(true);
  expect(splitReturned(drafts, 'chat', one.text)).toEqual([fresh(one.text)]);
});

test('[MSG-19] several returned messages are sent one by one with their ids, and then what was added', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [two]);
  rememberMessages(drafts, 'chat', [one]);
  const text = `${one.text}\n${two.text}`;
  expect(splitReturned(drafts, 'chat', text)).toEqual([one, two]);
  expect(splitReturned(drafts, 'chat', `${text}\nBye`)).toEqual([one, two, fresh('Bye')]);
  expect(splitReturned(drafts, 'chat', two.text)).toEqual([two]);
  expect(splitReturned(drafts, 'chat', `Hi\n${text}`)).toEqual([fresh(`Hi\n${text}`)]);
});

test('[MSG-19] what returned to the draft leaves the outbox, also if its page closed meanwhile', async () => {
  const drafts = memoryDrafts();
  const kept = memoryOutbox();
  const outbox = withoutReturned(kept, drafts);
  for (const { id, text } of [one, two]) await outbox.put({ id, text, conversationId: 'chat', at: 0 });
  rememberMessages(drafts, 'chat', [one]);
  expect((await outbox.list('chat')).map(({ id }) => id)).toEqual([two.id]);
  expect((await kept.listAll()).map(({ id }) => id)).toEqual([two.id]);

  // Sent again, it is unsent again.
  splitReturned(drafts, 'chat', one.text);
  await outbox.put({ ...one, conversationId: 'chat', at: 1 });
  expect((await outbox.listAll()).map(({ id }) => id)).toEqual([two.id, one.id]);
});

async function setUp(conversationIds: string[]) {
  const outbox = memoryOutbox();
  for (const [i, conversationId] of conversationIds.entries())
    await outbox.put({ id: `m${i}`, conversationId, text: 'wait', at: 0, after: 0 });
  const sent: Up[] = [];
  const live: Live = {
    status: () => 'open',
    dead: () => false,
    probe() {},
    endReason: () => undefined,
    traced: () => false,
    send: (frame) => sent.push(frame),
    onFrame: () => () => {},
    onStatus: () => () => {},
    stop() {},
  };
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
  const storage = memoryStorage();
  const drafts = draftStore('ana', () => storage);
  return {
    outbox,
    drafts,
    stopped,
    resume: () => resumeUnsent(outbox, chats, drafts, stopped.signal),
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

test('[MSG-16] a chat with only refused messages is not followed for them', async () => {
  const { resume, sent, outbox } = await setUp(['a', 'b']);
  await outbox.refuse('m0');
  await resume();
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent('watch')).toEqual(['b']);
});

test('[MSG-19] text that a closed page left in the draft and in the outbox is only in the outbox', async () => {
  const { resume, outbox, drafts } = await setUp([]);
  const leave = async (conversationId: string, draft: string) => {
    const [stored = { id: '', text: '' }] = splitReturned(drafts, conversationId, 'Hello');
    await outbox.put({ ...stored, conversationId, at: 0 });
    drafts.write(conversationId, draft);
    return stored;
  };
  const alone = await leave('a', 'Hello ');
  await leave('b', 'Hello\nand more');
  const behind = await leave('c', 'First\nHello');
  await resume();
  expect(['a', 'b', 'c'].map(drafts.read)).toEqual(['', 'and more', 'First\nHello']);
  // Now the same words are another message, except for those that are still in the draft.
  expect(splitReturned(drafts, 'a', 'Hello')).not.toEqual([alone]);
  expect(splitReturned(drafts, 'c', 'Hello')).toEqual([behind]);
});
