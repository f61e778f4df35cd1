import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { App } from '../src/app.ts';
import { Presence, type PresenceStore } from '../src/live/presence.ts';
import { fakeClock } from './fakeClock.ts';

const ANN = 'ann';

/** A lease store with a fake clock, and a gateway's presence that uses it. */
function open() {
  const clock = fakeClock();
  const until = new Map<string, number>();
  let changes = 0;
  const book: PresenceStore = {
    async hold(_db, _gateway, who, seconds) {
      for (const each of who) until.set(each, clock.now() + seconds * 1_000);
    },
    async end(_db, _gateway, who) {
      for (const each of who) until.delete(each);
    },
    changed: () => {
      changes += 1;
    },
  };
  const log = { info() {}, warn: (_: unknown, event: string) => expect.fail(event), error() {} };
  return {
    presence: new Presence({ clock, log } as unknown as App, 'a gateway', book),
    isOnline: (who: string) => (until.get(who) ?? 0) > clock.now(),
    changes: () => changes,
    async pass(seconds: number) {
      clock.advance(seconds * 1_000);
      await turn();
    },
  };
}

test('[OPS-13] a person disconnected by a slowly stopping gateway never shows as offline meanwhile', async () => {
  const { presence, isOnline, changes, pass } = open();
  presence.arrive(ANN);
  await pass(1);
  // A reload whose grace period is still running when she is disconnected.
  presence.leave(ANN);
  presence.arrive(ANN);
  await pass(1);
  const before = changes();
  presence.beginStop();
  presence.leave(ANN);
  for (let second = 0; second < 60; second += 1) {
    await pass(1);
    expect(isOnline(ANN)).toBe(true);
  }
  await presence.stop();
  await pass(9);
  expect([isOnline(ANN), changes()]).toEqual([true, before]);
  await pass(2);
  expect(isOnline(ANN)).toBe(false);
});

test('[OPS-13] the same holds for a person who connected just before, even if that was not stored yet', async () => {
  const { presence, isOnline, pass } = open();
  presence.beginStop();
  presence.arrive(ANN);
  presence.leave(ANN);
  await pass(6);
  expect(isOnline(ANN)).toBe(true);
  await presence.stop();
  await pass(9);
  expect(isOnline(ANN)).toBe(true);
});

test('[OPS-13] a person who left before the stop has the rest of the grace period and no more', async () => {
  const { presence, isOnline, pass } = open();
  presence.arrive(ANN);
  await pass(60);
  presence.leave(ANN);
  await pass(4);
  presence.beginStop();
  await presence.stop();
  // A reload may still be in progress.
  expect(isOnline(ANN)).toBe(true);
  await pass(2);
  expect(isOnline(ANN)).toBe(false);
});

test('[OPS-13] during a long stop the grace period and going away work as usual', async () => {
  const { presence, isOnline, changes, pass } = open();
  presence.arrive(ANN);
  presence.arrive('ben');
  await pass(60);
  presence.leave(ANN);
  await pass(4);
  presence.beginStop();
  const before = changes();
  await pass(2);
  expect([isOnline(ANN), changes()]).toEqual([false, before + 1]);
  presence.leaveNow('ben');
  await pass(0);
  expect([isOnline('ben'), changes()]).toEqual([false, before + 2]);
  await presence.stop();
  expect([isOnline(ANN), isOnline('ben')]).toEqual([false, false]);
});
