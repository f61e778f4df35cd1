// A browser on another machine: it knows the server's address and trusts the certificate that the server printed.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, expect, type Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { HOST, run } from '../../tools/containers/server.ts';
import { needed } from '../../tools/debianRoot.ts';
import { chromiumLaunch } from '../chromium.ts';
import {
  addHandler,
  becomeAdministrator,
  choosePassword,
  expectTexts,
  followStep,
  HANDLER,
  makeInvite,
  send,
  signInWithForm,
  startChatWithForms,
} from '../product/people.ts';

export class Visitors {
  readonly #browser: Browser;
  readonly #home: string;

  private constructor(browser: Browser, home: string) {
    this.#browser = browser;
    this.#home = home;
  }

  /** `port` of this machine leads to port 443 of the server. */
  static async open(port: number, certificate: string): Promise<Visitors> {
    const home = mkdtempSync(join(tmpdir(), 'settee-browser-'));
    trust(home, certificate);
    const rules = ['localhost', 'media.localhost'].map((host) => `MAP ${host} 127.0.0.1:${port}`);
    const browser = await chromium.launch({
      ...chromiumLaunch,
      args: [
        ...chromiumLaunch.args,
        `--host-resolver-rules=${[...rules, `MAP ${HOST} 127.0.0.1`].join(', ')}`,
      ],
      env: { ...process.env, HOME: home } as Record<string, string>,
    });
    return new Visitors(browser, home);
  }

  async page(options: BrowserContextOptions = {}): Promise<Page> {
    return (await this.#browser.newContext({ baseURL: 'https://localhost', ...options })).newPage();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function trust(home: string, certificate: string): void {
  needed('certutil', 'libnss3-tools');
  const trusted = join(home, '.pki/nssdb');
  mkdirSync(trusted, { recursive: true });
  writeFileSync(join(home, 'root.crt'), new X509Certificate(certificate).toString());
  run('certutil', ['-d', `sql:${trusted}`, '-N', '--empty-password']);
  run('certutil', ['-d', `sql:${trusted}`, '-A', '-t', 'C,,', '-n', 'server', '-i', join(home, 'root.crt')]);
}

export type FirstChat = { visitor: Page; desk: Page; said: string[] };

/** From the setup code to the first answered message. */
export async function firstChat(visitors: Visitors, code: string): Promise<FirstChat> {
  const admin = await visitors.page();
  await admin.goto('/admin/setup');
  await becomeAdministrator(admin, code);
  await expect(admin).toHaveURL(/\/admin\/dashboard$/);
  await followStep(admin, setupTexts.addPerson, adminTexts.people);
  await choosePassword(await visitors.page(), await addHandler(admin));
  await followStep(admin, setupTexts.invite, inviteAdminTexts.newInvite);
  const invite = await makeInvite(admin);
  const visitor = await visitors.page();
  await startChatWithForms(visitor, invite, 'Jonas');
  await send(visitor, 'Is somebody there?');
  const desk = await visitors.page();
  await signInWithForm(desk, HANDLER);
  await desk.getByRole('link', { name: /Jonas/ }).click();
  await send(desk, 'Yes, welcome.');
  const said = ['Is somebody there?', 'Yes, welcome.'];
  await expectTexts(visitor, said);
  return { visitor, desk, said };
}

/** One more message each way. Both pages must have everything that was said before, within this time. */
export async function continueChat(chat: FirstChat, topic: string, timeout?: number): Promise<void> {
  const { visitor, desk, said } = chat;
  await send(visitor, `${topic}?`);
  said.push(`${topic}?`);
  await expectTexts(desk, said, timeout);
  await send(desk, `${topic}!`);
  said.push(`${topic}!`);
  await expectTexts(visitor, said, timeout);
}
