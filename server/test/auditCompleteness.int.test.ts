import type { Call } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAudit } from '../src/actions/audit/verifyAudit.ts';
import { ask } from './access/ask.ts';
import { createCallers } from './access/callers.ts';
import { callRules } from './access/calls.ts';
import { setStage } from './access/stage.ts';
import { type Audited, auditedCalls, staffIdOf, worldFor } from './auditedCalls.ts';
import { type PushWorld, startPushWorld } from './pushWorld.ts';

let push: PushWorld;
beforeAll(async () => {
  push = await startPushWorld();
});
afterAll(() => push.stop());

/** Calls that change something and are not only for visitors. */
const changing = Object.entries<Call>(calls)
  .filter(([, call]) => call.method !== 'GET' && call.auth !== 'visitor')
  .map(([name]) => name);
const table: Record<string, Audited> = auditedCalls;

test('[AUDIT-03] every call that changes something is in the audit log, or has a listed reason', () => {
  expect(changing.filter((name) => table[name] === undefined)).toEqual([]);
  expect(Object.keys(table).filter((name) => !changing.includes(name))).toEqual([]);
});

/** The caller and the action. */
async function prepare(name: CallName, audited: Exclude<Audited, { not: string }>) {
  if ('perform' in audited) {
    const world = await worldFor(push);
    return { who: world[audited.by ?? 'handler'], perform: () => audited.perform(world) };
  }
  const rule = callRules[name];
  if (rule === undefined) throw new Error(`the access matrix does not know ${name}`);
  const stage = await setStage(push, await createCallers(push.server));
  return { who: stage.people.admin, perform: () => ask(calls[name], rule, stage, 'admin') };
}

describe('[AUDIT-03] every change is in the audit log, under the name of its author', () => {
  for (const name of changing) {
    const audited = table[name];
    if (audited === undefined || 'not' in audited) continue;
    test(`${name}: ${audited.action}`, async () => {
      const { pool } = push.server.app.db;
      const { who, perform } = await prepare(name as CallName, audited);
      const before = (await pool.query('select count from audit_head')).rows[0].count;
      const former = await staffIdOf(who);
      const reply = await perform();
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

  test('and the chain is intact', async () => {
    expect(await verifyAudit(push.server.app)).toMatchObject({ whole: true });
  });
});
