import type { Call } from '@settee/protocol/call';
import { calls } from '@settee/protocol/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAudit } from '../src/actions/verifyAudit.ts';
import { type Audited, auditedCalls, staffIdOf, worldFor } from './auditedCalls.ts';
import { type PushWorld, startPushWorld } from './pushWorld.ts';

let push: PushWorld;
beforeAll(async () => {
  push = await startPushWorld();
});
afterAll(() => push.stop());

/** Those that change something, and whose callers are not visitors alone. */
const changing = Object.entries<Call>(calls)
  .filter(([, call]) => call.method !== 'GET' && call.auth !== 'visitor')
  .map(([name]) => name);
const table: Record<string, Audited> = auditedCalls;

test('[OPEN-196] every call that changes something is in the audit log, or says why it is not', () => {
  expect(changing.filter((name) => table[name] === undefined)).toEqual([]);
  expect(Object.keys(table).filter((name) => !changing.includes(name))).toEqual([]);
});

describe('[OPEN-196] what is done is in the audit log, under the name of who did it', () => {
  for (const name of changing) {
    const audited = table[name];
    if (audited === undefined || 'not' in audited) continue;
    test(`${name}: ${audited.action}`, async () => {
      const world = await worldFor(push);
      const { pool } = push.server.app.db;
      const before = (await pool.query('select count from audit_head')).rows[0].count;
      const who = world[audited.by ?? 'handler'];
      const former = await staffIdOf(who);
      const reply = await audited.perform(world);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      const { rows } = await pool.query('select actor, details from audit where id > $1 and action = $2', [
        before,
        audited.action,
      ]);
      const now = name === 'signInStaff' ? await staffIdOf(who) : former;
      expect(rows.filter((row) => row.actor === now)).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain('hush');
    });
  }

  test('and the chain is whole', async () => {
    expect(await verifyAudit(push.server.app)).toMatchObject({ whole: true });
  });
});
