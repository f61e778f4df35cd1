import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../../tools/fullSize.ts';
import { messagesBetween } from '../../../test/messages.ts';
import {
  drawn,
  meetsLog,
  type ThreadWindow,
  toNewest,
  trimmed,
  WINDOW,
  wentTo,
  withNewer,
  withOlder,
} from './threadWindow.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const between = (first: number, last: number) => messagesBetween('c', first, last);
const live = (first: number, last: number): ThreadWindow => ({ log: between(first, last), away: undefined });
const ends = (run: readonly Message[] | undefined) => run && [run[0]?.seq, run.at(-1)?.seq];

test('older pages join the live log until the window is full; then the newest are released', () => {
  const full = withOlder(live(951, 1_000), between(701, 950), 760);
  expect(full.away).toBeUndefined();
  expect(ends(full.log)).toEqual([701, 1_000]);
  const slid = withOlder(full, between(651, 700), 705);
  expect(ends(slid.away)).toEqual([651, 950]);
  expect(ends(slid.log)).toEqual([951, 1_000]);
});

test('reading down needs no page where the live log continues, and is live there', () => {
  const away: ThreadWindow = { log: between(951, 1_000), away: between(651, 950) };
  expect(meetsLog(away)).toBe(true);
  const back = withNewer(away, [], 940);
  expect(back.away).toBeUndefined();
  expect(ends(back.log)).toEqual([701, 1_000]);
  const far: ThreadWindow = { log: between(951, 1_000), away: between(301, 600) };
  expect(meetsLog(far)).toBe(false);
  expect(ends(withNewer(far, between(601, 650), 590).away)).toEqual([351, 650]);
});

test('a page that does not join the current window changes nothing', () => {
  const now = live(951, 1_000);
  expect(withOlder(now, between(601, 650), 960)).toBe(now);
  const away: ThreadWindow = { log: between(951, 1_000), away: between(301, 600) };
  expect(ends(withNewer(away, between(701, 750), 590).away)).toEqual([301, 600]);
});

test('a distant message needs two pages, one near the end joins the live log', () => {
  const far = wentTo(live(99_951, 100_000), 500, [...between(451, 500), ...between(501, 550)]);
  expect(ends(far.away)).toEqual([451, 550]);
  expect(ends(far.log)).toEqual([99_951, 100_000]);
  const near = wentTo(live(951, 1_000), 940, [...between(891, 940), ...between(941, 990)]);
  expect(near.away).toBeUndefined();
  expect(ends(near.log)).toEqual([891, 1_000]);
  const known = wentTo({ log: between(951, 1_000), away: between(1, 100) }, 960, []);
  expect(known.away).toBeUndefined();
});

test('a number without a message finds nothing', () => {
  const now = live(951, 1_000);
  expect(wentTo(now, 5_000, between(951, 1_000))).toBe(now);
  expect(wentTo(now, 5, [])).toBe(now);
});

test('a long live log is cut where nobody reads', () => {
  const long = live(1, WINDOW + MESSAGE_PAGE + 1);
  expect(ends(trimmed(long, 351).log)).toEqual([52, 351]);
  const read = trimmed(long, 60);
  expect(ends(read.away)).toEqual([1, 300]);
  expect(ends(read.log)).toEqual([302, 351]);
  const short = live(1, WINDOW + MESSAGE_PAGE);
  expect(trimmed(short, 60)).toBe(short);
});

test('at any position: no gap, no more than the window, and nothing in view removed', () => {
  const move = fc.record({
    kind: fc.constantFrom('up', 'up', 'down', 'down', 'arrive', 'newest', 'jump', 'trim'),
    where: fc.double({ min: 0, max: 1, noNaN: true }),
    late: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), fc.array(move, { maxLength: 60 }), (length, moves) => {
      let head = length;
      let thread = live(Math.max(1, head - MESSAGE_PAGE + 1), head);
      let reader = head;
      let latePage: readonly Message[] = [];
      for (const { kind, where, late } of moves) {
        const before = drawn(thread);
        const [first, last] = [before[0]?.seq ?? 0, before.at(-1)?.seq ?? 0];
        // Pages are requested near an edge; some responses arrive after other changes.
        if (kind === 'up') {
          const page = between(Math.max(1, first - MESSAGE_PAGE), first - 1);
          reader = Math.min(last, first + Math.floor(where * 40));
          thread = withOlder(thread, late ? latePage : page, reader);
          latePage = page;
        } else if (kind === 'down') {
          const page = between(last + 1, Math.min(head, last + MESSAGE_PAGE));
          reader = Math.max(first, last - Math.floor(where * 40));
          thread = withNewer(thread, meetsLog(thread) ? [] : late ? latePage : page, reader);
          latePage = page;
        } else if (kind === 'arrive') {
          const more = Math.ceil(where * 120);
          thread = { ...thread, log: [...thread.log, ...between(head + 1, head + more)] };
          head += more;
        } else if (kind === 'newest') {
          thread = toNewest(thread);
          reader = head;
        } else if (kind === 'jump') {
          reader = 1 + Math.floor(where * (head - 1));
          const pages = between(Math.max(1, reader - 49), Math.min(head, reader + MESSAGE_PAGE));
          thread = wentTo(thread, reader, pages);
          expect(drawn(thread).some(({ seq }) => seq === reader)).toBe(true);
        } else {
          reader = Math.min(Math.max(reader, first), last);
          thread = trimmed(thread, reader);
        }
        const after = drawn(thread);
        expect(after.every((message, i) => i === 0 || message.seq === (after[i - 1]?.seq ?? 0) + 1)).toBe(
          true,
        );
        expect(thread.log.at(-1)?.seq).toBe(head);
        expect(thread.log.every((message, i) => message.seq === head - thread.log.length + 1 + i)).toBe(true);
        if (thread.away) expect(after.length).toBeLessThanOrEqual(WINDOW);
        if (kind === 'trim') expect(after.length).toBeLessThanOrEqual(WINDOW + MESSAGE_PAGE);
        if (kind === 'up' || kind === 'down' || kind === 'trim') {
          const stays = before.filter(({ seq }) => Math.abs(seq - reader) <= MESSAGE_PAGE);
          const there = new Set(after.map(({ seq }) => seq));
          expect(stays.every(({ seq }) => there.has(seq))).toBe(true);
        }
      }
    }),
  );
});
