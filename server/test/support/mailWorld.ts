import { Logger, makeWorkerUtils, runOnce } from 'graphile-worker';
import { expect, vi } from 'vitest';
import { tasks } from '../../src/jobs/tasks.ts';
import { enqueueDueMails } from '../../src/mail/mailScheduler.ts';
import { openMail } from '../../src/mail/smtp.adapter.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { type MailConfig, readConfig } from '../../src/platform/config/config.ts';
import type { MailSender } from '../../src/platform/ports/ports.ts';
import { type PrometheusMetrics, prometheusMetrics } from '../../src/private/prometheus.adapter.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { soon } from './soon.ts';

const quiet = new Logger(() => () => {});

/** A worker with another SECRET or another mail server. */
type Other = { secret?: string; sender?: MailSender };

export type MailWorld = {
  server: TestServer;
  sender: MailSender;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  metrics: PrometheusMetrics;
  /** Runs all due jobs. */
  runJobs(other?: Other): Promise<void>;
  /** Lets time pass until replies that were not seen are due as mails, and runs the jobs. */
  mailReplies(other?: Other): Promise<void>;
  stop(): Promise<void>;
};

/** The settings as the environment has them. */
export function mailSettings(env: Record<string, string>): MailConfig {
  const { mail } = readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    SECRET: 'a secret for tests, long enough to pass',
    MAIL_FROM: 'chat@settee.example',
    ...env,
  });
  if (mail === undefined) throw new Error('no mail server');
  return mail;
}

/** A gateway that sends mail, and whose jobs run on request. The administrator lets visitors leave an address. */
export async function startMailWorld(mail: MailConfig, ca?: string): Promise<MailWorld> {
  const server = await startTestServer({ config: { mail } });
  const { db, media, log, config } = server.app;
  const sender = openMail(config, { ca }) as MailSender;
  const utils = await makeWorkerUtils({ pgPool: db.pool, logger: quiet });
  await utils.migrate();
  await utils.release();
  const query = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
  await query('update brand set visitor_mail = true');
  const { secret, secondFactor } = config;
  const metrics = prometheusMetrics();
  const runJobs = async (other: Other = {}): Promise<void> => {
    const parts = { db, secret, secondFactor, media, push: undefined, clock: systemClock, log, metrics };
    const mail = { sender: other.sender ?? sender, config: { ...config, secret: other.secret ?? secret } };
    await runOnce({
      pgPool: db.pool,
      taskList: tasks({ ...parts, mail }),
      logger: quiet,
      noHandleSignals: true,
    });
    // `runOnce` returns before it has stored what became of the jobs.
    await vi.waitFor(
      async () =>
        expect(await query('select from graphile_worker.jobs where locked_at is not null')).toEqual([]),
      soon,
    );
  };
  return {
    server,
    sender,
    query,
    metrics,
    runJobs,
    async mailReplies(other) {
      await query('update push_due set due_at = now() where due_at is not null');
      await enqueueDuePushes(db, secondFactor, 1_000);
      await query('update visitor_mails set due_at = now() where due_at is not null');
      await enqueueDueMails(db);
      await runJobs(other);
    },
    stop: () => server.close(),
  };
}

/** Six digits in the subject. */
export function codeIn({ subject }: { subject: string }): string {
  return /\d{6}/.exec(subject)?.[0] ?? '';
}
