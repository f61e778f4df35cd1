import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownChildren, PATIENT_MS, patient, still } from '../../test/images/samples.ts';
import { soon } from '../../test/support/soon.ts';
import { readAnswer } from './answer.ts';
import { detectIsolation, type Isolation, NO_ISOLATION } from './isolation.ts';
import { CPU_MS, MEMORY_MAX_BYTES } from './limits.ts';
import { reencode } from './reencode.ts';

const BAD_CHILD = join(import.meta.dirname, '../../test/images/badChild.ts');
const OUT_OF_FILES = join(import.meta.dirname, '../../test/images/outOfFiles.ts');
const CHILD = join(import.meta.dirname, 'child.ts');
const MEGABYTE = 1_048_576;

function runBad(which: string, limits: { wallMs?: number; cpuMs?: number; isolation?: Isolation } = {}) {
  const file = Buffer.from(`GIF89a......${which}`);
  return reencode(file, 'image/gif', { script: BAD_CHILD, wallMs: PATIENT_MS, ...limits });
}

test.each([
  ['segfault', 'died'],
  ['throw', 'failed'],
  ['silence', 'invalid answer'],
  ['half an answer', 'invalid answer'],
  ['an answer and more', 'invalid answer'],
  ['a good answer, then die', 'died'],
  ['another format', 'invalid answer'],
  ['huge sides', 'invalid answer'],
  ['too much', 'answer too large'],
])('[MEDIA-15] a child that does this: %s; is refused as: %s', async (which, reason) => {
  const retryable = ['died', 'failed'].includes(reason);
  expect(await runBad(which)).toEqual({ ok: false, reason, retryable });
  expect(ownChildren()).toEqual([]);
});

test('the test child is accepted when it answers correctly', async () => {
  expect(await runBad('a good answer')).toMatchObject({ ok: true, type: 'image/gif', width: 1 });
});

test('[MEDIA-14] a child that hangs is killed after its processor time, also after its answer', async () => {
  const cpuMs = 1_000;
  const both = await Promise.all([runBad('hang', { cpuMs }), runBad('hang after the answer', { cpuMs })]);
  const killed = { ok: false, reason: 'out of time', retryable: false };
  expect(both).toEqual([killed, killed]);
  expect(ownChildren()).toEqual([]);
});

test('[MEDIA-15] a child that only waits is killed later', async () => {
  const killed = { ok: false, reason: 'too slow', retryable: true };
  expect(await runBad('sleep', { wallMs: 1_000 })).toEqual(killed);
  expect(ownChildren()).toEqual([]);
});

test('[MEDIA-15] a signal to our terminal does not reach the child', async () => {
  // Killed early, bubblewrap leaves its own child behind, and the test would wait for that.
  const drawing = runBad('sleep', { isolation: NO_ISOLATION });
  const [child = ''] = await vi.waitFor(() => {
    expect(ownChildren()).toHaveLength(1);
    return ownChildren();
  }, soon);
  const group = readFileSync(`/proc/${child}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[2];
  expect(group).toBe(child);
  process.kill(Number(child), 'SIGKILL');
  await drawing;
});

test('[MEDIA-14] a child that uses too much memory is killed', async () => {
  expect(await runBad('eat')).toEqual({ ok: false, reason: 'out of memory', retryable: false });
  expect(ownChildren()).toEqual([]);
});

test('[MEDIA-15] a child that never reads ten megabytes harms nothing', async () => {
  const file = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'),
    Buffer.alloc(10 * MEGABYTE - 12),
  ]);
  const limits = { script: BAD_CHILD, wallMs: PATIENT_MS };
  const refused = { ok: false, reason: 'invalid answer', retryable: false };
  expect(await reencode(file, 'image/png', limits)).toEqual(refused);
});

test('[MEDIA-15] a child that cannot start is reported', async () => {
  const drawn = async (wrong: { script: string } | { program: string }) =>
    reencode(await still('gif'), 'image/gif', {
      wallMs: PATIENT_MS,
      isolation: NO_ISOLATION,
      ...wrong,
    });
  const retryable = true;
  const nowhere = join(CHILD, 'nowhere');
  expect(await drawn({ script: nowhere })).toEqual({ ok: false, reason: 'failed', retryable });
  // A missing file, and a file that is not a program.
  for (const program of [nowhere, '/missing', CHILD])
    expect(await drawn({ program })).toEqual({ ok: false, reason: 'not started', retryable });
  expect(ownChildren()).toEqual([]);
});

test('[MEDIA-15] without a free file descriptor no child starts, and nothing else happens', async () => {
  const run = ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, OUT_OF_FILES];
  const ended = await new Promise((resolve) => {
    execFile('/bin/sh', run, { env: {} }, (error, out, err) => resolve([error, err, out]));
  });
  expect(ended).toEqual([null, '', 'not started, then ok\n']);
});

test.each([
  ['its time is over', 1, PATIENT_MS, MEMORY_MAX_BYTES, process.pid],
  ['it has too much memory', PATIENT_MS, PATIENT_MS, MEGABYTE, process.pid],
  ['its parent is gone', PATIENT_MS, PATIENT_MS, MEMORY_MAX_BYTES, 1],
])('[MEDIA-15] without a parent the child ends itself when %s', async (_when, ...limits) => {
  const args = [CHILD, 'png', ...limits.map(String)];
  // Standard input stays open, so the child would wait forever.
  const child = spawn(process.execPath, args, { env: {}, stdio: ['pipe', 'ignore', 'ignore'] });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

test('[MEDIA-15] a child that gets a stop signal finishes its image', async () => {
  const limits = [PATIENT_MS, CPU_MS, MEMORY_MAX_BYTES, process.pid].map(String);
  const child = spawn(process.execPath, [CHILD, 'png', ...limits], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [output, ended] = [buffer(child.stdout), once(child, 'exit')];
  await vi.waitFor(() => expect(readsStandardInput(child.pid)).toBe(true), soon);
  child.kill('SIGTERM');
  child.kill('SIGINT');
  child.stdin.end(await still('png'));
  expect(readAnswer(await output, 'png')).toMatchObject({ picture: {} });
  // The next file counts the children of this process.
  expect(await ended).toEqual([0, null]);
});

/** Whether the process waits for its standard input. By then it has loaded everything and handles signals. */
function readsStandardInput(pid: number | undefined): boolean {
  const folder = `/proc/${pid}/fdinfo`;
  // Each epoll descriptor lists the descriptors that it waits for.
  return readdirSync(folder).some((each) => /^tfd: +0 /m.test(readFileSync(`${folder}/${each}`, 'latin1')));
}

const folder = mkdtempSync(join(tmpdir(), 'settee-isolation-'));
const secret = join(folder, 'secret');
const server = createServer((socket) => socket.end());
const { name } = await detectIsolation();
beforeAll(async () => {
  writeFileSync(secret, 'secret');
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Whether an image process that does as it likes succeeds. */
async function succeeds(attempt: string, isolation?: Isolation): Promise<boolean> {
  const file = Buffer.from(`GIF89a......${attempt}`);
  const options = { script: BAD_CHILD, ...patient, ...(isolation !== undefined && { isolation }) };
  return (await reencode(file, 'image/gif', options)).ok;
}

const connects = () => `connect ${(server.address() as AddressInfo).port}`;

test('without isolation the attempts succeed, so the tests below prove something', async () => {
  for (const attempt of [connects(), `read ${secret}`, `read /proc/${process.pid}/environ`])
    expect(await succeeds(attempt, NO_ISOLATION), attempt).toBe(true);
});

test.skipIf(name === 'none')(
  `an image process has no network, no secrets of the worker (${name})`,
  async () => {
    expect(await succeeds('a good answer')).toBe(true);
    expect(await succeeds(connects())).toBe(false);
    expect(await succeeds(`read /proc/${process.pid}/environ`)).toBe(false);
  },
);

test.skipIf(name !== 'bubblewrap')('with bubblewrap it sees and writes no file outside', async () => {
  expect(await succeeds(`read ${[secret, '/etc/passwd', '/etc/hostname', '/root/.profile'].join()}`)).toBe(
    false,
  );
  const paths = [join(folder, 'new'), '/new', '/tmp/new', BAD_CHILD, process.execPath];
  expect(await succeeds(`write ${paths.join()}`)).toBe(false);
});

test('it still makes images', async () => {
  expect(await reencode(await still('png'), 'image/png', patient)).toMatchObject({ ok: true });
});
