import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MediaStore } from '../platform/ports/ports.ts';
import { checkObjects, copyObjects } from './objects.ts';
import { untilNextBackup } from './schedule.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settee-objects-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const BODY = Buffer.from('body');
const SHA256 = '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5';

/** A media store with every object, some of them slow. */
function storeOf(get: MediaStore['get']) {
  return { media: { get } as MediaStore, stillWanted: async () => true };
}

async function wantedList(count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) => `media/${index}\timage/png\t4\tt\n`);
  await writeFile(join(folder, 'wanted'), lines.join(''));
  return join(folder, 'wanted');
}

test('[OPS-33] a list of objects that cannot be written fails the backup, and nothing is written afterwards', async () => {
  // As with a full disk: the stream fails by itself while nothing awaits it.
  await writeFile(join(folder, 'objects.jsonl'), '');
  const slow = storeOf(async () => {
    await wait(20);
    return BODY;
  });
  await expect(copyObjects(folder, await wantedList(10_000), slow)).rejects.toThrow('EEXIST');
  const there = await readdir(folder, { recursive: true });
  await wait(100);
  expect(await readdir(folder, { recursive: true })).toEqual(there);
});

test('[OPS-33] storage that fails half-way fails the backup', async () => {
  let asked = 0;
  const store = storeOf(async () => {
    asked += 1;
    if (asked === 3) throw new Error('the store is away');
    return BODY;
  });
  await expect(copyObjects(folder, await wantedList(100), store)).rejects.toThrow('the store is away');
  expect(asked).toBeLessThan(20);
});

test('[OPS-33] a manipulated backup reads nothing outside its folder', async () => {
  const list = async (path: string): Promise<void> => {
    const line = JSON.stringify({ path, type: 'image/png', bytes: BODY.length, sha256: SHA256 });
    await writeFile(join(folder, 'backup', 'objects.jsonl'), `${line}\n`);
  };
  const problems = async (): Promise<string[]> => {
    const found: string[] = [];
    await checkObjects(join(folder, 'backup'), (text) => found.push(text));
    return found;
  };
  await mkdir(join(folder, 'backup', 'objects', 'a'), { recursive: true });
  await mkdir(join(folder, 'elsewhere'));
  for (const name of ['elsewhere/secret', 'backup/objects/a/own']) await writeFile(join(folder, name), BODY);
  await symlink(join(folder, 'elsewhere', 'secret'), join(folder, 'backup', 'objects', 'a', 'link'));
  await symlink(join(folder, 'elsewhere'), join(folder, 'backup', 'objects', 'b'));

  await list('a/own');
  expect(await problems()).toEqual([]);
  for (const path of ['a/link', 'b/secret']) {
    await list(path);
    expect(await problems()).toEqual([expect.stringContaining('no plain file')]);
  }
  for (const path of ['../../elsewhere/secret', '..', '/etc/hostname', 'a//own', '']) {
    await list(path);
    await expect(problems(), path).rejects.toThrow('no backup of ours');
  }
});

test('a scheduled backup is due at its time of day, and at once if it was missed', () => {
  const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);
  const hours = (now: string, newest?: string) =>
    untilNextBackup(at(now), '03:00', newest === undefined ? undefined : at(newest)) / 3_600_000;
  expect(hours('19T01:00')).toBe(0);
  expect(hours('19T01:00', '18T03:05')).toBe(2);
  expect(hours('19T03:00', '18T03:05')).toBe(0);
  expect(hours('19T04:00', '19T03:05')).toBe(23);
  expect(hours('19T01:00', '18T02:00')).toBe(0);
});
