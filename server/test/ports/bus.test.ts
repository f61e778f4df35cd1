import { expect, test, vi } from 'vitest';
import { InProcessBus } from '../../src/adapters/inProcessBus.ts';
import { busContract, linked } from './bus.contract.ts';

busContract(async () => {
  const bus = new InProcessBus();
  return { join: async () => bus.connect(), end: async () => {} };
});

test('two buses in one process share nothing, and neither has a gap', async () => {
  const [one, other] = [new InProcessBus(), new InProcessBus()];
  const missed = vi.fn<() => void>();
  const received = vi.fn<() => void>();
  const member = one.connect();
  member.onGap(missed);
  other.connect().subscribe('news', received);
  member.publish('news', new Uint8Array(1));
  await linked(member, one.connect());
  expect(received).not.toHaveBeenCalled();
  expect(missed).not.toHaveBeenCalled();
});
