import { errors } from '@settee/protocol/calls/errors';
import { texts } from '@settee/protocol/texts/texts';
import { describe, expect, test } from 'vitest';
import { uploadStoreContract } from '../../../../test/contracts.ts';
import { fakeClock } from '../../../../test/fakeClock.ts';
import {
  aPicture,
  aPngImage,
  countedIds,
  lossyUploads,
  memoryUploadStore,
  type RequestOutcome,
  refusal,
} from '../../../../test/fakeUploads.ts';
import type { OutgoingImage } from '../../model/unsent.ts';
import { retryDeadline } from './retryCall.ts';
import { failureText } from './UploadBubble.tsx';
import { startUploads } from './uploads.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';
const MINUTE = 60_000;

function setUp(outcome?: (what: string) => RequestOutcome) {
  const clock = fakeClock();
  const server = lossyUploads(clock, outcome);
  const store = memoryUploadStore();
  const sent: [string, OutgoingImage][] = [];
  const kept: string[] = [];
  const whenOnline = new Set<() => void>();
  let offline = false;
  const createId = countedIds();
  /** A page that starts the uploads, with these changes. */
  const start = (more: Partial<Parameters<typeof startUploads>[0]> = {}) =>
    startUploads({
      conversationId: ID,
      api: server.api,
      put: server.put,
      store,
      clock,
      random: () => 1,
      createId,
      async sendImage(id, _at, picture) {
        sent.push([id, picture]);
      },
      onLine(listener) {
        whenOnline.add(listener);
        return () => whenOnline.delete(listener);
      },
      isOffline: () => offline,
      onSent: (url) => kept.push(url),
      ...more,
    });
  return {
    clock,
    server,
    store,
    sent,
    kept,
    start,
    uploads: start(),
    online() {
      offline = false;
      for (const listener of [...whenOnline]) listener();
    },
    offline() {
      offline = true;
    },
  };
}

test('[MEDIA-03] a file is uploaded, checked by the server, and becomes one message with the same id', async () => {
  const { uploads, clock, sent, server, store, kept } = setUp();
  const seen: unknown[] = [];
  uploads.subscribe(() => seen.push(uploads.list().map(({ state, id }) => [id, state])));
  const done: unknown[] = [];
  uploads.subscribeProgress(() => done.push(uploads.progress().get('id-1')));
  uploads.addRead(aPngImage());
  expect(uploads.list()).toMatchObject([{ id: 'id-1', mediaId: 'id-2', name: 'a.png', bytes: 12 }]);
  await clock.pass(1_000);
  // The whole chat renders from the list, so it must not change with every byte.
  expect(seen).toEqual([[['id-1', 'uploading']], [['id-1', 'checking']], []]);
  expect(done[0]).toBe(0);
  expect(server.asked).toEqual(['beginUpload id-2', 'put id-2', 'finishUpload id-2']);
  expect(sent).toEqual([['id-1', { mediaId: 'id-2', media: aPicture('id-2') }]]);
  expect(kept).toEqual([aPicture('id-2').mediaUrl]);
  expect([uploads.list(), await store.take(ID)]).toEqual([[], []]);
});

test('the message replaces the upload in the same task, so the bubble does not flicker', async () => {
  const { clock, start } = setUp();
  const drawn: [uploads: number, messages: number][] = [];
  let messages = 0;
  const uploads = start({
    sendImage: async () => {
      messages += 1;
      // A page renders after the task ends, not before.
      queueMicrotask(() => drawn.push([uploads.list().length, messages]));
    },
  });
  uploads.subscribe(() => queueMicrotask(() => drawn.push([uploads.list().length, messages])));
  uploads.addRead(aPngImage());
  await clock.pass(1_000);
  expect(drawn.filter(([left, shown]) => left + shown !== 1)).toEqual([]);
  expect(drawn.at(-1)).toEqual([0, 1]);
});

test('[L-06] a lost connection is retried for ten minutes, then fails; Try again sends the image', async () => {
  let down = true;
  const { uploads, clock, sent, server } = setUp(() => (down ? 'request lost' : 'success'));
  uploads.addRead(aPngImage());
  await clock.pass(9.5 * MINUTE);
  expect(uploads.list()).toMatchObject([{ state: 'uploading' }]);
  await clock.pass(1.5 * MINUTE);
  expect(uploads.list()).toMatchObject([{ state: 'failed', problem: texts.networkError }]);
  const tries = server.asked.length;
  await clock.pass(60 * MINUTE);
  expect(server.asked).toHaveLength(tries);
  down = false;
  uploads.retry('id-1');
  expect(uploads.list()).toMatchObject([{ state: 'uploading', problem: null }]);
  await clock.pass(1_000);
  expect(sent.map(([id]) => id)).toEqual(['id-1']);
});

test('[L-06] an upload waits without a network; a failed one resumes when it returns', async () => {
  let down = true;
  const { uploads, clock, sent, online, offline } = setUp(() => (down ? 'request lost' : 'success'));
  offline();
  uploads.addRead(aPngImage());
  await clock.pass(60 * MINUTE);
  expect(uploads.list()).toMatchObject([{ state: 'uploading' }]);
  online();
  await clock.pass(11 * MINUTE);
  expect(uploads.list()).toMatchObject([{ state: 'failed' }]);
  down = false;
  online();
  await clock.pass(1_000);
  expect([uploads.list(), sent.map(([id]) => id)]).toEqual([[], ['id-1']]);
});

test.each([
  ['image_type', 'refused'],
  ['image_size', 'refused'],
  ['media_refused', 'refused'],
  ['image_limit', 'failed'],
  ['conversation_closed', 'failed'],
] as const)('%s ends as %s, with the server’s text', async (code, state) => {
  const { uploads, clock, server, store, start } = setUp();
  server.refuseBy((what) => (what === 'beginUpload' ? refusal(code, `no: ${code}`) : undefined));
  uploads.addRead(aPngImage());
  await clock.pass(1_000);
  expect(uploads.list()).toMatchObject([{ state, problem: `no: ${code}` }]);
  uploads.stop();
  server.refuseBy(() => undefined);
  // A refused one is not retried after a reload either.
  const later = start();
  await clock.pass(0);
  expect(later.list()).toHaveLength(state === 'refused' ? 0 : 1);
  later.stop();
  expect(await store.take(ID)).toHaveLength(state === 'refused' ? 0 : 1);
});

test('an image that the server cannot read is refused, with the probable reason', async () => {
  const { uploads, clock, server } = setUp();
  server.processBy(() => 'refused');
  uploads.addRead(aPngImage());
  await clock.pass(1_000);
  expect(uploads.list()).toMatchObject([{ state: 'refused', problem: expect.stringContaining('damaged') }]);
});

test('if the store never answers, an image is sent after ten seconds', async () => {
  const { clock, start, store, sent } = setUp();
  const uploads = start({ store: { ...store, take: () => new Promise(() => {}) } });
  uploads.addRead(aPngImage());
  await clock.pass(10_000);
  expect(sent.map(([id]) => id)).toEqual(['id-1']);
  uploads.addRead(aPngImage());
  await clock.pass(1_000);
  expect(sent.map(([id]) => id)).toEqual(['id-1', 'id-3']);
});

test('a cancelled upload disappears at once, and on the server as soon as it is reachable', async () => {
  let down = false;
  const { uploads, clock, server, sent, store } = setUp(() => (down ? 'request lost' : 'success'));
  server.processBy(() => 'working');
  uploads.addRead(aPngImage());
  await clock.pass(500);
  down = true;
  uploads.cancel('id-1');
  expect(uploads.list()).toEqual([]);
  await clock.pass(30_000);
  expect(server.cancelled).toEqual(new Set());
  down = false;
  server.processBy(() => 'ready');
  await clock.pass(MINUTE);
  expect(server.cancelled).toEqual(new Set(['id-2']));
  expect([sent, await store.take(ID)]).toEqual([[], []]);
});

test('an image carries what its sender had seen when sending, also after a reload', async () => {
  const { clock, server, store, start: open } = setUp();
  let after = 3;
  let load = () => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  let keep = () => {};
  const sent: unknown[] = [];
  const start = () =>
    open({
      sendImage: (id, _at, _picture, view) => {
        sent.push([id, view]);
        return new Promise((resolve) => {
          keep = resolve;
        });
      },
      view: () => ({ after }),
      loaded: () => loading,
    });
  const first = start();
  await first.takenOver;
  first.addRead(aPngImage());
  after = 9;
  await clock.pass(0);
  first.stop();
  const resumed = start();
  await resumed.takenOver;
  await clock.pass(MINUTE);
  // Later messages are not loaded yet, so the image is shown and its conversation is busy.
  expect([resumed.list(), sent]).toMatchObject([[{ id: 'id-1', state: 'checking' }], []]);
  load();
  await clock.pass(0);
  expect([resumed.list(), sent]).toEqual([[], [['id-1', { after: 3 }]]]);

  // It is not in the outbox yet: it can no longer be cancelled, and another page may take it over.
  resumed.cancel('id-1');
  expect(server.cancelled).toEqual(new Set());
  resumed.stop();
  expect(await store.take(ID)).toMatchObject([{ id: 'id-1' }]);
  keep();
  await clock.pass(0);
  store.release('id-1');
  expect(await store.take(ID)).toEqual([]);
});

test('uploads work without a store', async () => {
  const { clock, sent, start } = setUp();
  const broken = () => Promise.reject(new Error('no storage'));
  const uploads = start({
    store: { put: broken, take: broken, inherit: broken, remove: broken, release: () => {} },
  });
  uploads.addRead(aPngImage());
  await clock.pass(1_000);
  expect([sent.length, uploads.list()]).toEqual([1, []]);
});

test('an upload that failed says why, unless it was only the connection', () => {
  expect(failureText(null)).toBe('Not sent.');
  expect(failureText(texts.networkError)).toBe('Not sent.');
  expect(failureText(texts.notSent)).toBe('Not sent.');
  expect(failureText(errors.image_limit.text)).toBe(
    'Not sent. That is enough images for today. Please send more tomorrow.',
  );
});

test('[L-06] only time in which a retry could help counts: neither offline nor asleep', async () => {
  const clock = fakeClock();
  let offline = false;
  const isOver = retryDeadline(120_000, { clock, isOffline: () => offline });
  await clock.pass(30_000);
  expect(isOver()).toBe(false);
  offline = true;
  for (let minute = 0; minute < 60; minute += 1) {
    await clock.pass(60_000);
    expect(isOver()).toBe(false);
  }
  offline = false;
  // A night with the lid closed counts as one attempt.
  await clock.pass(8 * 60 * 60_000);
  expect(isOver()).toBe(false);
  await clock.pass(29_000);
  expect(isOver()).toBe(false);
  await clock.pass(1_000);
  expect(isOver()).toBe(true);
});

describe('[MEDIA-03] uploads in memory keep the contract', () => {
  for (const [promise, check] of Object.entries(uploadStoreContract))
    test(promise, () => {
      const store = memoryUploadStore();
      return check(() => store);
    });
});
