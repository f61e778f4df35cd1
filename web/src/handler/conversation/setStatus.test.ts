import type { Body } from '@settee/protocol/calls/http';
import { expect, test } from 'vitest';
import type { Api, Result } from '../../net/api.ts';
import { setStatus } from './setStatus.ts';

/** Answers like a gateway that knows these fields, and records the calls. */
function gateway(known: string[]): { api: Api<'setStatus'>; asked: Body<'setStatus'>[] } {
  const asked: Body<'setStatus'>[] = [];
  const api = async (_: 'setStatus', { body }: { body: Body<'setStatus'> }) => {
    asked.push(body);
    const knows = Object.keys(body).every((field) => known.includes(field));
    const refused = { ok: false, code: 'bad_request', text: '', status: 400, answer: undefined };
    return (knows ? { ok: true } : refused) as Result<'setStatus'>;
  };
  return { api: api as Api<'setStatus'>, asked };
}

test('Close and Block work with a gateway of the previous release', async () => {
  const old = gateway(['status']);
  expect((await setStatus(old.api, 'a', { status: 'closed', from: 'open' })).ok).toBe(true);
  expect((await setStatus(old.api, 'a', { status: 'blocked', reason: 'Spam' })).ok).toBe(true);
  expect(old.asked.at(-1)).toEqual({ status: 'blocked' });
});

test('a refusal for another reason is not retried; a block never gets longer', async () => {
  const old = gateway(['status']);
  expect((await setStatus(old.api, 'a', { status: 'blocked', hours: 24 })).ok).toBe(false);
  expect(old.asked).toHaveLength(1);
  const none = gateway([]);
  expect((await setStatus(none.api, 'a', { status: 'closed' })).ok).toBe(false);
  expect(none.asked).toHaveLength(1);
  const newer = gateway(['status', 'from', 'reason', 'hours']);
  await setStatus(newer.api, 'a', { status: 'closed', from: 'open' });
  expect(newer.asked).toEqual([{ status: 'closed', from: 'open' }]);
});
