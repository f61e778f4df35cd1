import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdministrator, createStaff, type Person } from './people.ts';
import { type PushWorld, startPushWorld } from './pushWorld.ts';

let world: PushWorld;
let admin: Person;
beforeAll(async () => {
  world = await startPushWorld();
  admin = await createAdministrator(world.server);
});
afterAll(() => world.stop());

async function somebody(alias: string) {
  const person = await createStaff(world.server, alias);
  const { body } = await admin.call('GET', `/manage/staff?q=${alias}`);
  const name = randomUUID();
  await world.subscribe(person, name);
  return { ...person, ...body.people[0], endpoint: world.service.endpointFor(name) } as Person & {
    id: string;
    email: string;
    name: string;
    endpoint: string;
  };
}

async function deskOfSubscription(endpoint: string): Promise<string | undefined> {
  const { rows } = await world.server.app.db.pool.query(
    'select alias from push_subscriptions where endpoint = $1',
    [endpoint],
  );
  return rows[0]?.alias;
}

test('[ADMIN-40] notifications follow a person to another desk, and end where there is none', async () => {
  const { id, name, email, endpoint } = await somebody('push-from');
  const change = (alias: string | null, role: string) =>
    admin.call('PUT', `/manage/staff/${id}`, { person: { name, email, role, alias } });
  expect(await deskOfSubscription(endpoint)).toBe('push-from');
  await change('push-to', 'handler');
  expect(await deskOfSubscription(endpoint)).toBe('push-to');
  await change(null, 'admin');
  expect(await deskOfSubscription(endpoint)).toBeUndefined();
});

test.each(['deactivate', 'sign-out', 'password-link'])(
  '[ADMIN-40] after %s none of their browsers is notified any more',
  async (ending) => {
    const { id, endpoint } = await somebody(`push-${ending}`);
    expect((await admin.call('POST', `/manage/staff/${id}/${ending}`)).status).toBe(200);
    expect(await deskOfSubscription(endpoint)).toBeUndefined();
  },
);
