import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { expect, test } from 'vitest';
import { Returns } from './returns.ts';

test('a page that no gateway disconnected is reported, because it proves nothing', () => {
  const returns = new Returns();
  for (const page of ['closed', 'dropped', 'untouched']) returns.back(page);
  returns.lost('closed', CLOSE_RESTART);
  returns.back('closed');
  returns.lost('dropped', 1006);
  returns.back('dropped');
  expect(returns.late(10_000)).toEqual([]);
  expect(returns.neverDisconnected()).toEqual([
    'dropped was never disconnected by a gateway',
    'untouched was never disconnected by a gateway',
  ]);
});
