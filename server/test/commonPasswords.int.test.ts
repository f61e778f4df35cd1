import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler } from '../src/actions/staff/createAccount.ts';
import { requireGoodPassword } from '../src/auth/commonPasswords.ts';
import { setupCode } from '../src/auth/setupCode.ts';
import { readInstallationId } from '../src/db/engine/installation.ts';
import { PASSWORD } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000 } });
});
afterAll(() => server.close());

const COMMON = ['password1234', 'Qwerty123456', '123456789012', 'PASSWORDPASSWORD', 'welcome12345'];
const ana = { name: 'Ana Kovač', email: 'ana.k@desk.example' };

function problem(password: string): string | undefined {
  try {
    requireGoodPassword(password, ana);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('[ACCOUNT-01] common passwords are refused wherever one is set', async () => {
  for (const password of COMMON)
    expect([password, problem(password)]).toEqual([password, peopleTexts.passwordIsCommon]);

  const refused = { status: 400, body: { code: 'bad_request', error: peopleTexts.passwordIsCommon } };
  const [password] = COMMON as [string];
  const code = setupCode(server.app.config, await readInstallationId(server.app.db));
  expect(await server.request('POST', '/setup', { body: { ...ana, code, password } })).toMatchObject(refused);

  const admin = await createAdministrator(server);
  const change = { current: PASSWORD, password };
  expect(await admin.call('PUT', '/account/password', change)).toMatchObject(refused);

  const { body } = await admin.call('POST', '/manage/staff', { ...ana, role: 'handler', alias: 'east' });
  const token = body.link.slice(body.link.indexOf('#') + 1);
  const link = (chosen: string) =>
    server.request('POST', '/auth/staff/password', { body: { token, password: chosen } });
  expect(await link(password)).toMatchObject(refused);
  expect((await link(PASSWORD)).status).toBe(200);

  const byCommand = createHandler(server.app, { ...ana, alias: 'east', password }, 'cli');
  await expect(byCommand).rejects.toThrow(peopleTexts.passwordIsCommon);
});

test('[ACCOUNT-01] the product, the person and their address are no passwords, also with digits or repeated', () => {
  for (const password of [
    'settee123456',
    'SetteeSettee!',
    'Ana Kovač 1990',
    'anakovač2026!!',
    'ana.k@desk.example',
    'AnaK-AnaK-AnaK',
  ]) {
    expect([password, problem(password)]).toEqual([password, peopleTexts.passwordIsKnown]);
  }
  for (const password of ['four words nobody guesses', '839 201 774 615', 'my settee is red', PASSWORD]) {
    expect([password, problem(password)]).toEqual([password, undefined]);
  }
});
