import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../../../tools/fullSize.ts';
import { fakeClock } from '../../../../test/fakeClock.ts';
import {
  aPngImage,
  countedIds,
  lossyUploads,
  memoryUploadStore,
  type RequestOutcome,
} from '../../../../test/fakeUploads.ts';
import { startUploads } from './uploads.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

const ID = 'c0000000-0000-4000-8000-000000000000';

const turns = ['add', 'add', 'cancel', 'retry', 'reload', 'online', 'a moment', 'a while', 'long'] as const;
const passing = { 'a moment': 60, 'a while': 5_000, long: 11 * 60_000 };
const outcomes: readonly RequestOutcome[] = ['success', 'success', 'request lost', 'answer lost'];

test('[MEDIA-03] [L-06] whatever is lost or reloaded: each file that was not cancelled becomes one message, in order', async () => {
  let cancels = 0;
  let cuts = 0;
  let inOrder = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...turns), { maxLength: 30, size: 'max' }),
      fc.array(fc.constantFrom(...outcomes), { maxLength: 60, size: 'max' }),
      fc.array(fc.constantFrom('ready' as const, 'working' as const), { maxLength: 10 }),
      async (script, losses, results) => {
        const clock = fakeClock();
        const server = lossyUploads(clock, () => losses.pop() ?? 'success');
        server.processBy(() => results.pop() ?? 'ready');
        const store = memoryUploadStore();
        const sent: { id: string; mediaId: string }[] = [];
        const added: string[] = [];
        const cancelled = new Map<string, number>();
        const listeners = new Set<() => void>();
        const createId = countedIds();
        const start = () =>
          startUploads({
            conversationId: ID,
            api: server.api,
            put: server.put,
            store,
            clock,
            random: () => 0.5,
            createId,
            async sendImage(id, _at, { mediaId }) {
              sent.push({ id, mediaId });
            },
            onLine(listener) {
              listeners.add(listener);
              return () => listeners.delete(listener);
            },
          });
        let uploads = start();
        /** A failed upload that waits for its user is overtaken, so the order cannot be checked. */
        let waited = false;
        const faults = losses.length;

        for (const [n, turn] of script.entries()) {
          const some = uploads.list()[n % Math.max(1, uploads.list().length)];
          if (turn === 'add') {
            const before = new Set(uploads.list().map(({ id }) => id));
            uploads.addRead(aPngImage(`${n}.png`));
            added.push(...uploads.list().flatMap(({ id }) => (before.has(id) ? [] : [id])));
          } else if (turn === 'cancel' && some) {
            cancelled.set(some.id, sent.length);
            uploads.cancel(some.id);
            expect(uploads.list()).not.toContain(some);
          } else if (turn === 'retry' && some) uploads.retry(some.id);
          else if (turn === 'online') for (const listener of [...listeners]) listener();
          else if (turn === 'reload') {
            uploads.stop();
            uploads = start();
          } else if (turn in passing) await clock.pass(passing[turn as keyof typeof passing]);
          await clock.pass(0);
          expect(server.mostMoving()).toBeLessThanOrEqual(2);
          for (const { id, bytes, state } of uploads.list()) {
            expect(uploads.progress().get(id) ?? 0).toBeLessThanOrEqual(bytes);
            waited ||= state === 'failed';
          }
        }
        cuts += faults - losses.length;
        cancels += cancelled.size;

        // No more faults from here on.
        losses.length = 0;
        results.length = 0;
        for (const { id } of uploads.list()) uploads.retry(id);
        await clock.pass(2 * 60_000);
        const kept = added.filter((id) => !cancelled.has(id));
        const arrived = sent.map(({ id }) => id);
        expect(arrived.toSorted()).toEqual(kept.toSorted());
        if (!waited) expect(arrived).toEqual(kept);
        if (!waited && script.includes('reload') && kept.length > 1) inOrder += 1;
        expect(new Set(sent.map(({ mediaId }) => mediaId)).size).toBe(sent.length);
        expect([uploads.list(), await store.take(ID)]).toEqual([[], []]);
        uploads.stop();
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(cancels, cuts, inOrder)).toBeGreaterThan(0);
}, 60_000);
