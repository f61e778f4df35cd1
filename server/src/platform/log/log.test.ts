import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fakeClock.ts';
import { createLog, reason } from './log.ts';
import type { LogFields } from './logFields.ts';
import { scrub } from './scrub.ts';
import { openSecurityLog } from './securityLog.ts';

const CANARY = 'canary5f3c';

/** Messages of engines, libraries and Node. */
const quoting = [
  `invalid input syntax for type uuid: "${CANARY}"`,
  `Unexpected token 'c', "{"text":"${CANARY} and "more""... is not valid JSON`,
  `duplicate key value violates unique constraint "staff_email": Key (email)=(${CANARY}) already exists.`,
  `ENOENT: no such file or directory, open '/srv/media/${CANARY}/x.png'`,
  `Failed to parse URL from /i/${CANARY}/x`,
  `connect ECONNREFUSED https://push.example/send/${CANARY}`,
  `no mailbox ${CANARY}@settee.example here`,
  `jwt eyJhbGciOiJIUzI1NiJ9.${CANARY}.sig-na_ture was refused`,
  `token a0${CANARY}AbCdEfGh0123456789 unknown`,
  `no conversation 0b8f6d8e-4a0e-4f57-9f3b-2c1d5e6f7a8b`,
  `Failed task 7 (push, 3ms, attempt 1 of 25) with error 'no "${CANARY}"':\n  at x`,
  // Unbalanced quotes: cut off by the author of the message, or by us.
  `the text "hello my name is ${CANARY}`,
  `neither "this" nor "my ${CANARY}`,
  `the boys' toys and 'my ${CANARY} and more`,
  `'${CANARY} doe's profile is away`,
  `'jane 'doe' ${CANARY}'s profile is away`,
  `the body "${`${CANARY} and "more" `.repeat(300)}" was refused`,
  `the body '${'word '.repeat(1_000)}' and '${CANARY}'`,
  `\`${CANARY}`,
  `Key (email)=(${CANARY} doe`,
  `no operator for type "${CANARY}"`,
  `${'word '.repeat(798)}jane@${CANARY}.example`,
];

/** The one line that the log writes. */
function logged(fields: LogFields): string {
  const lines: string[] = [];
  createLog('trace', { to: { write: (line: string) => void lines.push(line) } }).warn(fields, 'logged');
  return lines.join();
}

test.each(quoting)('[PRIVACY-18] a log has nothing of what a reason quotes, way %#', (text) => {
  const [error, plain] = [{ reason: reason(new Error(text)) }, { message: text }];
  for (const output of [scrub(text), logged(error), logged(plain)]) {
    expect(output).not.toContain(CANARY);
    expect(output).not.toContain('0b8f6d8e');
  }
});

test('the scrubbed text still shows the problem', () => {
  const left = {
    'relation "conversations" does not exist': 'relation conversations does not exist',
    'duplicate key value violates unique constraint "staff_email"':
      'duplicate key value violates unique constraint staff_email',
    "Cannot read properties of undefined (reading 'head')":
      'Cannot read properties of undefined (reading head)',
    "the server doesn't answer, and can't": "the server doesn't answer, and can't",
    'connect ECONNREFUSED 127.0.0.1:5432': 'connect ECONNREFUSED 127.0.0.1:5432',
    'canceling statement due to statement timeout': 'canceling statement due to statement timeout',
  };
  for (const [text, scrubbed] of Object.entries(left)) expect(scrub(text)).toBe(scrubbed);
  const postgres = Object.assign(new Error('permission denied for table audit'), { code: '42501' });
  expect(reason(postgres)).toBe('Error 42501: permission denied for table audit');
  expect(scrub('"a" is not valid JSON')).toBe('<quoted> is not valid JSON');
  expect(scrub("'a' isn't here")).toBe('<quoted> here');
});

test('[PRIVACY-18] only listed fields are logged, as plain values of limited length', () => {
  const careless = {
    reason: `x${'y '.repeat(400)}`,
    tries: 2,
    givesUp: true,
    [CANARY]: 1,
    headers: { cookie: CANARY },
    message: { text: CANARY },
    url: 'http://127.0.0.1:8080',
  };
  const line = logged(careless as unknown as LogFields);
  expect(line).not.toContain(CANARY);
  const { reason: output, time, ...rest } = JSON.parse(line);
  expect(new Date(time).toISOString()).toBe(time);
  expect(rest).toEqual({
    level: 40,
    tries: 2,
    givesUp: true,
    url: 'http://127.0.0.1:8080',
    dropped: 3,
    msg: 'logged',
  });
  expect(output).toHaveLength(301);
});

const MINUTE_MS = 60_000;

let written: Record<string, unknown>[] = [];
const log = createLog('info', { to: { write: (line) => void written.push(JSON.parse(line)) } });
const configOf = (securityLog: string) =>
  ({ secret: 'a secret for tests', securityLog, securityLogAddresses: 'full' }) as const;

beforeEach(() => {
  written = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('a repeated warning is one line a minute with a count, beside other lines', () => {
  const warn = (host: string): void => log.warn({ host }, 'unreachable');
  for (let at = 0; at < 100; at++) warn('one.example');
  warn('two.example');
  vi.advanceTimersByTime(MINUTE_MS);
  warn('one.example');
  vi.advanceTimersByTime(2 * MINUTE_MS);
  warn('one.example');
  expect(written.map(({ host, count }) => [host, count])).toEqual([
    ['one.example', undefined],
    ['two.example', undefined],
    ['one.example', 99],
    ['one.example', 1],
    ['one.example', undefined],
  ]);
});

test('[LIMIT-07] on a full disk nothing is thrown, and the log has one line', () => {
  const security = openSecurityLog({ config: configOf('/dev/full'), clock: fakeClock(), log });
  for (let turn = 0; turn < 3; turn++) {
    for (let at = 0; at < 100; at++) security.record({ event: 'socket_refused', address: `address ${at}` });
    vi.advanceTimersByTime(MINUTE_MS);
  }
  expect(written).toMatchObject([
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
  expect(written.map(({ msg }) => msg)).toEqual([
    'security events cannot be written',
    'security events are written again',
  ]);
});
