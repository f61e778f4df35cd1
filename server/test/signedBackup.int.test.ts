import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBackup } from '../src/backup/makeBackup.ts';
import { readManifest, writeManifest } from '../src/backup/manifest.ts';
import { emptyDatabase, environmentOf, newFolder, settee } from './backupWorld.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator } from './people.ts';

let server: TestServer;
let folder: Awaited<ReturnType<typeof newFolder>>;
beforeAll(async () => {
  server = await startTestServer();
  folder = await newFolder();
  await createAdministrator(server);
  await makeBackup(server.app, folder.path('signed'));
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

async function copyOf(name: string): Promise<string> {
  await cp(folder.path('signed'), folder.path(name), { recursive: true });
  return folder.path(name);
}

test('[OPS-33] a backup is signed; verification checks the signature if it knows SECRET', async () => {
  const env = environmentOf(server);
  const from = ['--from', folder.path('signed')];
  expect((await settee(['backup', 'verify', ...from], env)).out).toContain('The signature is valid.');
  const { SECRET = '' } = env;
  const rotated = { SECRET: 'n'.repeat(32), SECRET_PREVIOUS: SECRET };
  expect((await settee(['backup', 'verify', ...from], rotated)).out).toContain('The signature is valid.');
  const unknown = await settee(['backup', 'verify', ...from], { SECRET: 'n'.repeat(32) });
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('its signature is not valid')]);
  const without = await settee(['backup', 'verify', ...from], {});
  expect([without.code, without.out]).toEqual([0, expect.stringContaining('was not checked')]);
});

test('[OPS-33] a changed or unsigned backup is refused, unless the operator allows it', async () => {
  const [changed, unsigned] = [await copyOf('changed'), await copyOf('unsigned')];
  // As an attacker with write access, who knows everything but SECRET.
  const signature = await readFile(`${changed}/manifest.hmac`);
  const { format: _, ...manifest } = await readManifest(changed);
  await writeManifest(changed, { ...manifest, release: '6.6.6' }, { secret: 'x'.repeat(32) });
  await rm(`${unsigned}/manifest.hmac`);
  const database = await emptyDatabase();
  const env = { ...environmentOf(server), DATABASE_URL: database.url };
  const refused = async (backup: string) => (await settee(['restore', '--from', backup], env)).err;
  expect(await refused(changed)).toMatch(/signature is not valid\. Nothing was restored.*--allow-unsigned/);
  await writeFile(`${changed}/manifest.hmac`, signature);
  expect(await refused(changed)).toContain('its signature is not valid');
  expect(await refused(unsigned)).toContain('manifest.hmac is missing');
  const allowed = await settee(['restore', '--from', unsigned, '--allow-unsigned'], env);
  expect([allowed.code, allowed.err]).toEqual([
    0,
    expect.stringMatching(
      /^Warning: manifest\.json is not signed.* for example an administrator\. Check the/,
    ),
  ]);
  await database.drop();
});
