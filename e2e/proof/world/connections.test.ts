import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { expect, test } from 'vitest';
import { Connections } from './connections.ts';

test('a page that no gateway disconnected is reported, because it proves nothing', () => {
  const connections = new Connections();
  for (const page of ['closed', 'dropped', 'untouched']) connections.back(page);
  connections.lost('closed', CLOSE_RESTART);
  connections.back('closed');
  connections.lost('dropped', 1006);
  connections.back('dropped');
  expect(connections.late(10_000)).toEqual([]);
  expect(connections.neverDisconnected()).toEqual([
    'dropped was never disconnected by a gateway',
    'untouched was never disconnected by a gateway',
  ]);
});
