import type { Body } from '@settee/protocol/calls/http';
import {
  ATTEND_EVERY_MS,
  type Doing,
  REPLYING_LASTS_MS,
  VIEWING_LASTS_MS,
} from '@settee/protocol/model/colleague';
import type { Note } from '@settee/protocol/model/note';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import type { Api, Result } from '../../net/api.ts';
import { joinNotes, notesBySeq } from '../../staff/notes/noteList.ts';
import { type Absence, absenceAfter } from './absence.ts';
import { startColleagues } from './colleagues.ts';
import { setStatus } from './setStatus.ts';

function after(...news: { gone: boolean; queued: boolean }[]): Absence {
  return news.reduce<Absence>(absenceAfter, 'here');
}

const here = { gone: false, queued: true };
const reported = { gone: true, queued: true };
const left = { gone: true, queued: false };

test('[CONSOLE-28] a conversation that was handed over and is in the queue again is back', () => {
  expect(after(here, left, reported)).toBe('back');
  expect(after(here, reported, left, reported, reported)).toBe('back');
  // A closed conversation is in no queue, but still at our desk.
  expect(after({ gone: false, queued: false })).toBe('here');
});

test('[CONSOLE-28] a queue that has not received the change yet brings nothing back', () => {
  expect(after(here, reported, reported)).toBe('reported');
  expect(after(here, left)).toBe('left');
});

function setUp() {
  const clock = fakeClock();
  const sent: Doing[] = [];
  const colleagues = startColleagues({ clock, send: (doing) => sent.push(doing) });
  const ana = (doing: Doing) => colleagues.receive({ staffId: 'a', name: 'Ana', doing });
  const names = () => colleagues.get().map(({ name, doing }) => `${name} ${doing}`);
  return { clock, sent, colleagues, ana, names };
}

describe('[CONSOLE-20] what colleagues receive', () => {
  test('viewing at once and repeatedly, and leaving', async () => {
    const { clock, sent, colleagues } = setUp();
    colleagues.setPresent(true);
    expect(sent).toEqual(['viewing']);
    await clock.pass(3 * ATTEND_EVERY_MS);
    expect(sent).toEqual(['viewing', 'viewing', 'viewing', 'viewing']);
    colleagues.setPresent(false);
    await clock.pass(3 * ATTEND_EVERY_MS);
    expect(sent.slice(4)).toEqual(['left']);
    colleagues.stop();
    expect(sent.slice(5)).toEqual([]);
  });

  test('replying at most every 3 s during typing, and often enough to stay visible', async () => {
    const { clock, sent, colleagues } = setUp();
    colleagues.replying();
    expect(sent).toEqual([]);
    colleagues.setPresent(true);
    for (let n = 0; n < 100; n += 1) {
      colleagues.replying();
      await clock.pass(100);
    }
    expect(sent).toEqual(['viewing', 'replying', 'replying', 'replying', 'replying']);
  });

  test('an answer to a newcomer at once, one for many; none to a known colleague, and none while away', async () => {
    const { clock, sent, colleagues, ana } = setUp();
    ana('viewing');
    await clock.pass(1_000);
    expect(sent).toEqual([]);
    colleagues.setPresent(true);
    for (const staffId of ['b', 'c', 'd']) colleagues.receive({ staffId, name: staffId, doing: 'viewing' });
    ana('viewing');
    await clock.pass(1_000);
    expect(sent).toEqual(['viewing', 'viewing']);
    colleagues.replying();
    ana('left');
    ana('viewing');
    await clock.pass(1_000);
    expect(sent.slice(2)).toEqual(['replying', 'replying']);
  });
});

describe('[CONSOLE-20] who else views this chat', () => {
  test('a silent colleague expires; a silent reply becomes viewing', async () => {
    const { clock, ana, names } = setUp();
    ana('replying');
    await clock.pass(REPLYING_LASTS_MS - 1);
    expect(names()).toEqual(['Ana replying']);
    await clock.pass(1);
    expect(names()).toEqual(['Ana viewing']);
    await clock.pass(VIEWING_LASTS_MS - REPLYING_LASTS_MS - 1);
    expect(names()).toEqual(['Ana viewing']);
    await clock.pass(1);
    expect(names()).toEqual([]);
  });

  test('a replying colleague comes first; one who leaves disappears at once', () => {
    const { colleagues, ana, names } = setUp();
    ana('viewing');
    colleagues.receive({ staffId: 'z', name: 'Zoe', doing: 'replying' });
    expect(names()).toEqual(['Zoe replying', 'Ana viewing']);
    ana('left');
    expect(names()).toEqual(['Zoe replying']);
  });
});

/** Answers like a gateway that knows these fields, and records the calls. */
function gateway(known: string[]): { api: Api<'setStatus'>; asked: Body<'setStatus'>[] } {
  const asked: Body<'setStatus'>[] = [];
  const api = async (_: 'setStatus', { body }: { body: Body<'setStatus'> }) => {
    asked.push(body);
    const knows = Object.keys(body).every((field) => known.includes(field));
    const refused = { ok: false, code: 'bad_request', text: '', status: 400, answer: undefined };
    return (knows ? { ok: true } : refused) as Result<'setStatus'>;
  };
  return { api: api as Api<'setStatus'>, asked };
}

test('Close and Block work with a gateway of the previous release', async () => {
  const old = gateway(['status']);
  expect((await setStatus(old.api, 'a', { status: 'closed', from: 'open' })).ok).toBe(true);
  expect((await setStatus(old.api, 'a', { status: 'blocked', reason: 'Spam' })).ok).toBe(true);
  expect(old.asked.at(-1)).toEqual({ status: 'blocked' });
});

test('a refusal for another reason is not retried; a block never gets longer', async () => {
  const old = gateway(['status']);
  expect((await setStatus(old.api, 'a', { status: 'blocked', hours: 24 })).ok).toBe(false);
  expect(old.asked).toHaveLength(1);
  const none = gateway([]);
  expect((await setStatus(none.api, 'a', { status: 'closed' })).ok).toBe(false);
  expect(none.asked).toHaveLength(1);
  const newer = gateway(['status', 'from', 'reason', 'hours']);
  await setStatus(newer.api, 'a', { status: 'closed', from: 'open' });
  expect(newer.asked).toEqual([{ status: 'closed', from: 'open' }]);
});

function note(id: string, afterSeq: number, createdAt = 0): Note {
  return { id, conversationId: 'c', afterSeq, author: 'Ana', text: id, createdAt };
}

const ids = (notes: readonly Note[] | undefined) => notes?.map(({ id }) => id);

test('a note that arrives twice is one note, in its place', () => {
  const read = [note('a', 1), note('c', 3)];
  const joined = joinNotes(read, [note('b', 2), note('c', 3), note('late', 1, 5)]);
  expect(ids(joined)).toEqual(['a', 'late', 'b', 'c']);
  expect(ids(joinNotes(joined, read))).toEqual(ids(joined));
});

test('each message has the notes after it; 0 is the top', () => {
  const places = notesBySeq([note('top', 0), note('a', 2), note('b', 2)]);
  expect(ids(places.get(0))).toEqual(['top']);
  expect(ids(places.get(2))).toEqual(['a', 'b']);
  expect(places.get(1)).toBeUndefined();
});
