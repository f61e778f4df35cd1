import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../freePorts.ts';

const PROGRAM = join(import.meta.dirname, 'node_modules/maildev/dist/bin/maildev.js');
const START_MS = 60_000;

/** A mail as maildev shows it. `headers` has lower-case names. */
export type CaughtMail = {
  id: string;
  to: { address: string; name: string }[];
  from: { address: string; name: string }[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
};

export type Maildev = {
  /** For SMTP_URL. */
  url: string;
  port: number;
  /** All mails to this address, oldest first. */
  mailsTo(address: string): Promise<CaughtMail[]>;
  /** The mail as it was received. */
  source(id: string): Promise<string>;
  stop(): Promise<void>;
};

/** Starts maildev, which takes every mail and shows it. `npm ci --prefix tools/mail` installs it. */
export async function startMaildev(): Promise<Maildev> {
  if (!existsSync(PROGRAM)) throw new Error('maildev is not installed: npm ci --prefix tools/mail');
  const [port = 0, webPort = 0] = await freePorts(2);
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      '--smtp',
      String(port),
      '--ip',
      '127.0.0.1',
      '--web',
      String(webPort),
      '--web-ip',
      '127.0.0.1',
      '--silent',
    ],
    { stdio: 'ignore' },
  );
  const web = `http://127.0.0.1:${webPort}/api`;
  const end = Date.now() + START_MS;
  while (!(await fetch(`${web}/healthz`).catch(() => undefined))?.ok) {
    if (Date.now() > end || child.exitCode !== null) throw new Error('maildev does not start');
    await sleep(100);
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    async mailsTo(address) {
      const all = (await (await fetch(`${web}/email`)).json()) as CaughtMail[];
      return all.filter(({ to }) => to.some((each) => each.address === address));
    },
    source: async (id) => (await fetch(`${web}/email/${id}/source`)).text(),
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
