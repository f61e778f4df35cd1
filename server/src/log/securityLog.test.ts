import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { BadConfig } from '../config/config.ts';
import { createLog } from './log.ts';
import { openSecurityLog } from './securityLog.ts';

const MINUTE_MS = 60_000;

let logged: Record<string, unknown>[] = [];
const log = createLog('info', { to: { write: (line) => void logged.push(JSON.parse(line)) } });
const configOf = (securityLog: string) =>
  ({ secret: 'a secret for tests', securityLog, securityLogAddresses: 'full' }) as const;

beforeEach(() => {
  logged = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('[LIMIT-07] on a full disk nothing is thrown, and the log has one line', () => {
  const security = openSecurityLog({ config: configOf('/dev/full'), clock: fakeClock(), log });
  for (let turn = 0; turn < 3; turn++) {
    for (let at = 0; at < 100; at++) security.record({ event: 'socket_refused', address: `address ${at}` });
    vi.advanceTimersByTime(MINUTE_MS);
  }
  expect(logged).toMatchObject([
    { msg: 'security events cannot be written', reason: expect.stringContaining('ENOSPC') },
  ]);
});

test('[LIMIT-07] when there is space again, the number of lost events is written', () => {
  let isFull = false;
  const lines: Record<string, unknown>[] = [];
  const disk = {
    write(line: string) {
      if (isFull) throw new Error('no space');
      lines.push(JSON.parse(line));
    },
  };
  const security = openSecurityLog({ config: configOf('stdout'), clock: fakeClock(), log }, disk);
  isFull = true;
  // A real destination keeps the first line that failed, so it does not count as lost.
  for (const address of ['a', 'b', 'c', 'c', 'c']) security.record({ event: 'not_found', address });
  isFull = false;
  vi.advanceTimersByTime(MINUTE_MS);
  security.record({ event: 'not_found', address: 'd' });
  expect(lines).toMatchObject([
    { event: 'events_dropped', count: 4 },
    { event: 'not_found', address: 'd' },
  ]);
  expect(logged.map(({ msg }) => msg)).toEqual([
    'security events cannot be written',
    'security events are written again',
  ]);
});

test('[LIMIT-07] a file that cannot be opened is an error of the setting', () => {
  const open = () => openSecurityLog({ config: configOf(tmpdir()), clock: fakeClock(), log });
  expect(open).toThrow(BadConfig);
  expect(open).toThrow(/SECURITY_LOG .*EISDIR/);
});
