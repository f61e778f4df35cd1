import type { Up } from '@settee/protocol/frames/up';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { countQueue, newestFirst, QUEUE_PAGE, type QueueShow, queuePage } from '@settee/protocol/model/queue';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { expect, test } from 'vitest';
import { aQueueRow } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/chats.ts';
import { createStore } from '../../browser/createStore.ts';
import { rowsToShow } from './queueFilter.ts';
import { type KnownQueue, queuePages } from './queuePages.ts';

const NOW = 1_800_000_000_000;
const SHOWS = ['all', 'unread', 'waiting', 'snoozed'] as const;
const idsOf = (rows: readonly QueueRow[]) => rows.map(({ conversationId }) => conversationId);

function aRow(n: number, head = 1): QueueRow {
  return aQueueRow(idOf(`chat ${n}`), {
    lastMessageAt: NOW - n * 60_000,
    head,
    unread: n % 3 === 0 ? 1 : 0,
    waitingSince: n % 2 === 0 ? NOW - ((n * 7919) % 1_000) * 60_000 : null,
    snoozedUntil: n % 10 === 0 ? NOW + ((n * 7919) % 1_000) * 60_000 : null,
  });
}

/** A console at a gateway. Frames arrive in order, each when `deliver` is called. */
function aConsole(size: number) {
  const rows = new Map(Array.from({ length: size }, (_, n) => [aRow(n).conversationId, aRow(n)]));
  const store = createStore<KnownQueue>({ queue: null, part: null });
  let asked: Extract<Up, { type: 'queuePage' }>[] = [];
  const pages = queuePages({
    get: store.get,
    update: store.update,
    send: (frame) => frame.type === 'queuePage' && asked.push(frame),
  });
  const count = () => countQueue([...rows.values()], NOW, defaultSettings);
  return {
    ...store,
    pages,
    /** Changes a row at the gateway only, as while the console is offline. */
    set: (row: QueueRow) => void rows.set(row.conversationId, row),
    drop: (id: string) => void rows.delete(id),
    change(changed: readonly QueueRow[], gone: readonly string[] = []): void {
      for (const row of changed) rows.set(row.conversationId, row);
      for (const id of gone) rows.delete(id);
      pages.change({ rows: [...changed], gone: [...gone], counts: count() });
    },
    connect(): void {
      asked = [];
      const { rows: first, more } = queuePage(rows.values(), 'all');
      pages.begin({ type: 'queue', rows: first, ...(more && { counts: count() }) });
    },
    /** Answers one request. False if there is none. */
    deliver(): boolean {
      const frame = asked.shift();
      if (!frame) return false;
      pages.page({
        type: 'queuePage',
        show: frame.show,
        ...queuePage(rows.values(), frame.show, frame.after),
      });
      return true;
    },
    answerAll(): void {
      while (this.deliver()) expect(asked.length).toBeLessThan(5);
    },
    shown(show: QueueShow): readonly QueueRow[] {
      const { queue, part } = store.get();
      return rowsToShow(queue ?? [], { show, now: NOW, openId: undefined, to: part?.readTo[show] });
    },
    whole: (show: QueueShow) =>
      rowsToShow([...rows.values()].sort(newestFirst), { show, now: NOW, openId: undefined }),
  };
}

/** Every list shows the beginning of what it would show if the whole queue were known. */
function expectBeginnings(desk: ReturnType<typeof aConsole>): void {
  for (const show of SHOWS) {
    const { part } = desk.get();
    if (part && part.readTo[show] === undefined) continue;
    const [shown, whole] = [idsOf(desk.shown(show)), idsOf(desk.whole(show))];
    expect(shown).toEqual(whole.slice(0, shown.length));
    expect(shown.length > 0).toBe(whole.length > 0);
  }
}

test('[QUEUE-29] however the rows move, a list shows its beginning without gaps, and each row once', () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const desk = aConsole(1_000);
  desk.connect();
  expect(desk.get().queue).toHaveLength(QUEUE_PAGE);
  for (let step = 2; step < 400; step++) {
    const n = random(1_200);
    const moved = { ...aRow(n, step), lastMessageAt: random(2) ? NOW + step : aRow(n).lastMessageAt };
    desk.change(random(3) ? [moved] : [], random(3) ? [] : [idOf(`chat ${random(1_200)}`)]);
    if (step % 7 === 0) desk.pages.read(SHOWS[random(4)] ?? 'all');
    // An answer may arrive long after the request.
    if (random(2)) desk.deliver();
    expectBeginnings(desk);
  }
  while (desk.get().part) {
    desk.pages.read('all');
    desk.answerAll();
    expectBeginnings(desk);
  }
  expect(desk.shown('all')).toEqual(desk.whole('all'));
});

test('[QUEUE-29] after a reconnect the rows stay, and are then as if they had been read for the first time', () => {
  const desk = aConsole(1_000);
  desk.connect();
  for (const show of ['all', 'waiting', 'all', 'waiting'] as const) {
    desk.pages.read(show);
    desk.answerAll();
  }
  const before = { all: desk.shown('all').length, waiting: desk.shown('waiting').length };
  expect(desk.get().queue?.length).toBeGreaterThan(3 * QUEUE_PAGE);
  // Meanwhile: closed, moved up from behind the end, and answered.
  const [gone, moved, answered] = [aRow(451), { ...aRow(901, 2), lastMessageAt: NOW }, aRow(302, 2)];
  desk.drop(gone.conversationId);
  desk.set(moved);
  desk.set({ ...answered, waitingSince: null });

  desk.connect();
  expect(desk.shown('all').length).toBe(before.all + 1);
  expect(idsOf(desk.shown('all'))).toContain(gone.conversationId);
  while (desk.deliver()) expect(desk.shown('all').length).toBeGreaterThanOrEqual(before.all);
  expect(idsOf(desk.get().queue ?? [])).not.toContain(gone.conversationId);
  expectBeginnings(desk);
  expect(desk.shown('waiting').length).toBeGreaterThanOrEqual(before.waiting - 1);
});

test('[QUEUE-29] a whole queue stays whole after a reconnect at which it no longer fits into one answer', () => {
  const desk = aConsole(QUEUE_PAGE);
  desk.connect();
  expect(desk.get().part).toBeNull();
  for (let n = 0; n < 5; n++) desk.set({ ...aRow(5_000 + n), lastMessageAt: NOW + n });
  desk.connect();
  expect(desk.get().queue).toHaveLength(QUEUE_PAGE + 5);
  desk.answerAll();
  expect(desk.get().part).toBeNull();
  expect(desk.shown('all')).toEqual(desk.whole('all'));
});
