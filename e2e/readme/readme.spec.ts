import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { startEngines } from '../../tools/engines/engines.ts';
import { createFreshDatabase } from '../../tools/freshDatabase.ts';
import { fullSize } from '../../tools/fullSize.ts';
import { expectTexts, send, signInWithForm, startChatWithForms } from '../product/people.ts';
import { expect, test, type Watcher } from '../product/watched.ts';
import { type NewMachine, newMachine, readmeBlock, thisRepository } from './newMachine.ts';

const READY = /Ctrl\+C stops/;

/** From the first command of the README to the first answer. */
const MINUTES_AT_MOST = fullSize(10, 3);

let machine: NewMachine;
let startedAt: number;

test.beforeAll(() => {
  machine = newMachine();
  startedAt = Date.now();
  // All but the last line, which runs until it is stopped.
  const lines = readmeBlock(0).slice(0, -1);
  machine.run([`REPOSITORY_URL='${thisRepository}'`, ...lines].join('\n'));
});

test.afterAll(() => {
  machine.run('cd settee && npm run --silent engines -- stop --instance dev');
  machine.remove();
});

/** As in the README: opens the two addresses in two browser windows, sends a message and answers it. */
async function chatAsPrinted(browser: Browser, watcher: Watcher, output: string): Promise<void> {
  const invite = /A visitor opens\s+(\S+)/.exec(output)?.[1] ?? '';
  const [, alias = '', email = '', password = ''] = /^ {4}(\S+): (\S+) \/ (\S+)$/m.exec(output) ?? [];
  const baseURL = new URL(invite).origin;
  watcher.allow(baseURL);
  const [visitor, handler] = await Promise.all(
    [1, 2].map(async () => (await browser.newContext({ baseURL })).newPage()),
  );
  if (visitor === undefined || handler === undefined) throw new Error('no windows');
  await startChatWithForms(visitor, invite, 'Jonas');
  await send(visitor, 'Hello?');
  await signInWithForm(handler, { alias, email, password });
  await handler.getByRole('link', { name: /Jonas/ }).click();
  await send(handler, 'Good morning');
  await expectTexts(visitor, ['Hello?', 'Good morning']);
}

test('the five minutes of the README, to the letter, on a machine with only Node', async ({
  browser,
  watcher,
}) => {
  const last = readmeBlock(0).at(-1) ?? '';
  const dev = await machine.start(`cd settee && ${last}`, READY);
  try {
    await chatAsPrinted(browser, watcher, dev.output());
    const minutes = (Date.now() - startedAt) / 60_000;
    console.log(`  the first answered message after ${minutes.toFixed(1)} minutes`);
    expect(minutes).toBeLessThan(MINUTES_AT_MOST);
    expect(dev.output()).toContain('Engines: postgres');
  } finally {
    await dev.stop();
  }
});

test('the same with engines given by their addresses: nothing is started', async ({ browser, watcher }) => {
  machine.run('cd settee && npm run --silent engines -- stop --instance dev');
  const engines = await startEngines({ instance: 'e2e', require: true, only: ['postgres', 'nats'] });
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'readme' });
  const line = readmeBlock(1)
    .join('\n')
    .replace(/DATABASE_URL=\S+/, `DATABASE_URL='${database.ownerUrl}'`)
    .replace(/NATS_URL=\S+/, `NATS_URL='${engines.NATS_URL}'`);
  const dev = await machine.start(`cd settee && ${line}`, READY);
  try {
    await chatAsPrinted(browser, watcher, dev.output());
    expect(existsSync(join(machine.folder, 'settee/.settee/dev/postgres/postmaster.pid'))).toBe(false);
  } finally {
    await dev.stop();
    await database.drop();
  }
});
