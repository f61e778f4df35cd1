import { describe, test } from 'vitest';
import { outboxContract } from '../../../test/outboxContract.ts';
import { memoryOutbox } from './outbox.ts';

describe('the outbox in memory', () => {
  for (const [promise, check] of Object.entries(outboxContract)) test(promise, () => check(memoryOutbox()));
});
