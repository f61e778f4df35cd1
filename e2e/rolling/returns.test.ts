import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { expect, test } from 'vitest';
import { Returns } from './returns.ts';

test('a page that no gateway disconnected is reported, because it proves nothing', () => {
  const returns = new Returns();
  for (const page of ['told', 'dropped', 'untouched']) returns.back(page);
  returns.lost('told', CLOSE_RESTART);
  returns.back('told');
  returns.lost('dropped', 1006);
  returns.back('dropped');
  expect(returns.late(10_000)).toEqual([]);
  expect(returns.neverDisconnected()).toEqual([
    'dropped was never disconnected by a gateway',
    'untouched was never disconnected by a gateway',
  ]);
});
