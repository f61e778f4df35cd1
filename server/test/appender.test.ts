import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Appender, UnknownOutcome } from '../src/db/appender.ts';
import { silentMetrics } from '../src/metrics/silentMetrics.ts';

const NOWHERE = 'postgres://127.0.0.1:1/nowhere';

function draft() {
  return {
    conversationId: randomUUID(),
    id: randomUUID(),
    text: 'hello',
    fromOwner: false,
    authorId: randomUUID(),
    alias: null,
    after: null,
    mediaId: null,
  };
}

test('what may be stored counts as unconfirmed; what was not even taken does not', async () => {
  let unconfirmed = 0;
  const metrics = {
    ...silentMetrics,
    unconfirmed: (messages: number) => {
      unconfirmed += messages;
    },
  };
  const appender = new Appender(NOWHERE, 1, metrics);
  await expect(appender.append(draft())).rejects.toThrow(UnknownOutcome);
  expect(unconfirmed).toBe(1);
  await appender.close();
  await expect(appender.append(draft())).rejects.toThrow('not taken');
  expect(unconfirmed).toBe(1);
});
