import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEngines } from '../../bin/engines/engines.ts';
import { migrate } from '../src/db/migrate.ts';

/** Brings up the real engines and one migrated database that every test copies. */
export default async function setup(project: TestProject): Promise<void> {
  const urls = await startEngines({ instance: 'test', require: true });
  const admin = new pg.Client(urls.DATABASE_URL);
  await admin.connect();
  await admin.query('drop database if exists settee_template with (force)');
  await admin.query('create database settee_template');
  await admin.end();
  const template = new URL(urls.DATABASE_URL);
  template.pathname = '/settee_template';
  await migrate(template.href);
  project.provide('engines', urls);
}

declare module 'vitest' {
  interface ProvidedContext {
    engines: import('../../bin/engines/engines.ts').EngineUrls;
  }
}
