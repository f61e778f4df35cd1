import type { InviteDraft } from '@settee/protocol/model/managedInvite';
import { expect, test } from 'vitest';
import type { Result } from '../../net/api.ts';
import { type BatchRun, batchRun } from './batchRun.ts';

type InviteTask = { batchId: string; attempt: number; invites: InviteDraft[] };
const lost: Result<'createInvites'> = {
  ok: false,
  code: undefined,
  text: 'Network error',
  status: 0,
  answer: undefined,
};
const refused: Result<'createInvites'> = { ...lost, status: 400, text: 'There is no handler x' };

function made({ invites }: InviteTask): Result<'createInvites'> {
  const links = invites.map(({ id }) => ({ id, link: `link of ${id}`, expiresAt: 1 }));
  return { ok: true, answer: { success: true, links } };
}

function setUp(answer: (asked: InviteTask, call: number) => Result<'createInvites'>) {
  const asked: InviteTask[] = [];
  let ids = 0;
  const run = batchRun({
    create: async (body) => answer(body, asked.push(body)),
    clock: {
      now: () => 0,
      setTimeout: (callback) => queueMicrotask(callback),
      clearTimeout: () => undefined,
    },
    random: () => 0.5,
    uuid() {
      ids += 1;
      return `id ${ids}`;
    },
  });
  return { run, asked };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    label: `No. ${at + 1}`,
    alias: 'x',
    days: 30,
    keepDays: null,
  }));
const ended = (run: BatchRun) => expect.poll(() => run.get().phase).toBe('ended');

test('many invites are created in chunks of 500, in order', async () => {
  const { run, asked } = setUp(made);
  run.start(rows(1_201));
  await ended(run);
  expect(asked.map(({ invites }) => invites.length)).toEqual([500, 500, 201]);
  expect(new Set(asked.map(({ batchId }) => batchId)).size).toBe(1);
  expect(run.get().made.map(({ label }) => label)).toEqual(rows(1_201).map(({ label }) => label));
  expect(run.get()).toMatchObject({ failure: null, waiting: false });
});

test('[INVITE-15] a lost answer is requested again with the same ids, as a later attempt', async () => {
  // The second response was cut short.
  const short = { ...lost, status: 200 };
  const { run, asked } = setUp((body, call) => (call === 2 ? lost : call === 3 ? short : made(body)));
  run.start(rows(700));
  await ended(run);
  expect(asked).toHaveLength(4);
  expect(asked[2]).toEqual({ ...asked[1], attempt: 2 });
  expect(asked[3]).toEqual({ ...asked[1], attempt: 3 });
  expect(run.get().made).toHaveLength(700);
});

test('a refusal ends the import, and created invites stay', async () => {
  const { run } = setUp((body, call) => (call === 2 ? refused : made(body)));
  run.start(rows(1_100));
  await ended(run);
  expect(run.get()).toMatchObject({ failure: 'There is no handler x', total: 1_100 });
  expect(run.get().made).toHaveLength(500);
});

test('a stopped import ends after the current chunk, also without an answer', async () => {
  const { run, asked } = setUp((body, call) => {
    if (call === 1) run.stop();
    return made(body);
  });
  run.start(rows(1_100));
  await ended(run);
  expect([asked.length, run.get().made.length, run.get().failure]).toEqual([1, 500, null]);

  const deaf = setUp((_body, call) => {
    if (call === 3) deaf.run.stop();
    return lost;
  });
  deaf.run.start(rows(2));
  await ended(deaf.run);
  expect(deaf.run.get().made).toEqual([]);
});

test('[INVITE-15] the remaining rows are kept, and continue with the same ids', async () => {
  const { run, asked } = setUp((body, call) => {
    if (call === 2) return lost;
    return call === 3 ? refused : made(body);
  });
  run.start(rows(1_100));
  await ended(run);
  expect(run.get().remaining.map(({ label }) => label)).toEqual(
    rows(1_100)
      .slice(500)
      .map(({ label }) => label),
  );
  // The lost response may have been a success.
  expect(run.get().unsure).toBe(true);
  run.markSaved();
  run.resume();
  expect(run.get()).toMatchObject({ phase: 'running', failure: null, total: 1_100 });
  await ended(run);
  // A later attempt than those before, or the server would ignore it as outdated.
  expect(asked[3]).toEqual({ ...asked[1], attempt: 3 });
  expect(asked[4]).toMatchObject({ batchId: asked[0]?.batchId, attempt: 1 });
  expect(run.get().made.map(({ label }) => label)).toEqual(rows(1_100).map(({ label }) => label));
  expect(run.get()).toMatchObject({ remaining: [], unsure: false, failure: null, saved: false });
});

test('[INVITE-15] a stopped import can continue, and what was saved stays saved until there is more', async () => {
  const { run } = setUp((body, call) => {
    if (call === 1) run.stop();
    return call === 2 ? refused : made(body);
  });
  run.start(rows(501));
  await ended(run);
  expect(run.get()).toMatchObject({ unsure: false, failure: null });
  run.markSaved();
  run.resume();
  await ended(run);
  expect(run.get()).toMatchObject({ failure: 'There is no handler x', saved: true });
  run.resume();
  await ended(run);
  expect(run.get().made).toHaveLength(501);
  expect(run.get().saved).toBe(false);
});
