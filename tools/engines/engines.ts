// Real engines for dev, tests, bench and the fault suite.

import { nats, natsUrl } from './nats.ts';
import {
  killPostgres,
  pausePostgres,
  postgresAnswers,
  postgresUrl,
  resumePostgres,
  startPostgres,
  stopPostgres,
} from './postgres.ts';
import { endProcess, isAlive, type ProcessIdentity, signal } from './process.ts';
import { findInstalled, notice } from './program.ts';
import { startProgram, stopProgram } from './programEngine.ts';
import { bucket, region, removeSockets, s3, s3Url } from './s3.ts';
import {
  type EngineName,
  type EngineRecord,
  instanceName,
  knownInstances,
  readRecord,
  withLock,
} from './state.ts';
import { natsServer, seaweed } from './versions.ts';

export type EngineUrls = {
  DATABASE_URL: string;
  NATS_URL?: string;
  S3_ENDPOINT?: string;
  S3_REGION?: string;
  S3_BUCKET?: string;
  S3_ACCESS_KEY_ID?: string;
  S3_SECRET_ACCESS_KEY?: string;
};

export type EngineStatus = {
  name: EngineName;
  // `external`: set by an environment variable. We neither start nor stop it.
  state: 'running' | 'not answering' | 'stopped' | 'external';
  address?: string;
  pid?: number;
};

export type EngineControl = {
  pid(): number;
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
};

const all: readonly EngineName[] = ['postgres', 'nats', 's3'];

const variable = { postgres: 'DATABASE_URL', nats: 'NATS_URL', s3: 'S3_ENDPOINT' } as const;
const start = {
  postgres: startPostgres,
  nats: (instance: string) => startProgram(nats, instance),
  s3: (instance: string) => startProgram(s3, instance),
};
const answers = { postgres: postgresAnswers, nats: nats.answers, s3: s3.answers };

// Without postgres in `only` (and without DATABASE_URL in the environment), DATABASE_URL is ''.
export async function startEngines(
  options: { instance?: string; require?: boolean; only?: readonly EngineName[] } = {},
): Promise<EngineUrls> {
  const instance = instanceName(options.instance);
  const wanted = all.filter((name) => options.only?.includes(name) ?? true);
  const ours = wanted.filter((name) => external(name) === undefined);
  // Waits for all, so that no engine is still starting when the lock is released.
  const results = await withLock(instance, () =>
    Promise.allSettled(ours.map((name) => start[name](instance))),
  );
  const urls: EngineUrls = { DATABASE_URL: '' };
  for (const [index, name] of ours.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    if (result?.value !== undefined) Object.assign(urls, urlsOf(name, result.value));
    else if (options.require === true) throw new Error(missing(name));
    else notice(`${missing(name)} Continuing without it.`);
  }
  for (const name of wanted) Object.assign(urls, external(name));
  return urls;
}

// The engines that need no download or build. The first `npm run dev` uses these.
export async function availableEngines(): Promise<EngineName[]> {
  const names: EngineName[] = ['postgres'];
  if (external('nats') !== undefined || (await findInstalled(natsServer)) !== undefined) names.push('nats');
  if (external('s3') !== undefined || (await findInstalled(seaweed)) !== undefined) names.push('s3');
  return names;
}

export async function stopEngines(options: { instance?: string } = {}): Promise<void> {
  const instance = instanceName(options.instance);
  await withLock(instance, () =>
    Promise.all([stopPostgres(instance), stopProgram(nats, instance), stopProgram(s3, instance)]),
  );
  removeSockets(instance);
}

export async function engineStatus(options: { instance?: string } = {}): Promise<EngineStatus[]> {
  const instance = instanceName(options.instance);
  return Promise.all(
    all.map(async (name): Promise<EngineStatus> => {
      if (external(name) !== undefined)
        return { name, state: 'external', address: withoutSecret(process.env[variable[name]] ?? '') };
      const record = readRecord(instance, name);
      if (record === undefined || !isAlive(record.process)) return { name, state: 'stopped' };
      const state = (await answers[name](record)) ? 'running' : 'not answering';
      return { name, state, address: `127.0.0.1:${record.port}`, pid: record.process.pid };
    }),
  );
}

/** The instances with at least one running engine. */
export function runningInstances(): string[] {
  return knownInstances().filter((instance) =>
    all.some((name) => isAlive(readRecord(instance, name)?.process)),
  );
}

// The addresses of the running engines.
export function runningUrls(options: { instance?: string } = {}): Partial<EngineUrls> {
  const instance = instanceName(options.instance);
  const urls: Partial<EngineUrls> = {};
  for (const name of all) {
    const record = readRecord(instance, name);
    if (external(name) !== undefined) Object.assign(urls, external(name));
    else if (record !== undefined && isAlive(record.process)) Object.assign(urls, urlsOf(name, record));
  }
  return urls;
}

// Kills, pauses and restarts an engine for the fault suite.
export function engineControl(name: EngineName, options: { instance?: string } = {}): EngineControl {
  const instance = instanceName(options.instance);
  const identity = (): ProcessIdentity => {
    const found = readRecord(instance, name)?.process;
    if (!isAlive(found)) throw new Error(`${name} of the instance "${instance}" is not running.`);
    return found;
  };
  const restart = async (): Promise<void> => {
    const before = readRecord(instance, name)?.port;
    const record = await withLock(instance, () => start[name](instance));
    if (record === undefined) throw new Error(missing(name));
    if (before !== undefined && record.port !== before) {
      throw new Error(`${name} came back on port ${record.port} because another program took ${before}.`);
    }
  };
  const control = { pid: () => identity().pid, start: restart };
  if (name === 'postgres') {
    return {
      ...control,
      kill: () => killPostgres(instance),
      pause: () => pausePostgres(instance),
      resume: () => resumePostgres(instance),
    };
  }
  return {
    ...control,
    kill: async () => {
      const victim = readRecord(instance, name)?.process;
      if (isAlive(victim)) await endProcess(victim, 'SIGKILL', 10);
    },
    pause: () => signal(identity().pid, 'SIGSTOP'),
    resume: () => signal(identity().pid, 'SIGCONT'),
  };
}

function urlsOf(name: EngineName, record: EngineRecord): Partial<EngineUrls> {
  if (name === 'postgres') return { DATABASE_URL: postgresUrl(record) };
  if (name === 'nats') return { NATS_URL: natsUrl(record) };
  return {
    S3_ENDPOINT: s3Url(record),
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: record.user,
    S3_SECRET_ACCESS_KEY: record.password,
  };
}

// Engines that are set in the environment.
function external(name: EngineName): Partial<EngineUrls> | undefined {
  // Tests create databases, so they need the owner.
  const owner = name === 'postgres' ? process.env.DATABASE_OWNER_URL : undefined;
  const url = owner || process.env[variable[name]];
  if (url === undefined || url === '') return undefined;
  if (name !== 's3') return { [variable[name]]: url };
  const {
    S3_ACCESS_KEY_ID = '',
    S3_SECRET_ACCESS_KEY = '',
    S3_BUCKET = bucket,
    S3_REGION = region,
  } = process.env;
  if (S3_ACCESS_KEY_ID === '' || S3_SECRET_ACCESS_KEY === '') {
    throw new Error('S3_ENDPOINT is set; S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY have to be set with it.');
  }
  return { S3_ENDPOINT: url, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
}

function missing(name: EngineName): string {
  const program = name === 's3' ? 'weed (SeaweedFS)' : 'nats-server';
  return `There is no ${name} engine: ${program} is not on the PATH, Docker and Go could not provide it, and ${variable[name]} is not set.`;
}

function withoutSecret(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
