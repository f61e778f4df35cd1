import { randomUUID } from 'node:crypto';
import { access, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Fills a temporary folder and renames it when everything is on disk, so a folder with the final name is complete. A
 * killed run leaves a .partial folder, which can be deleted.
 */
export async function fillFolder(target: string, fill: (draft: string) => Promise<void>): Promise<string> {
  const folder = resolve(target);
  await refuseExisting(folder);
  const draft = `${folder}.${randomUUID().slice(0, 8)}.partial`;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    await fill(draft);
    await sync(draft);
    await refuseExisting(folder);
    await rename(draft, folder);
    await sync(dirname(folder));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

async function refuseExisting(folder: string): Promise<void> {
  const there = await access(folder).then(
    () => true,
    () => false,
  );
  if (there) throw new Error(`${folder} already exists: a backup needs a new folder.`);
}

/** Makes the names in it survive a power failure. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The path of a file in a backup. Refuses links: an untrusted backup could make us read any file. The folder itself
 * may be reached through links.
 */
export async function plainFile(folder: string, name: string): Promise<string> {
  const file = join(await realpath(folder), name);
  if (!(await lstat(file)).isFile() || (await realpath(file)) !== file)
    throw new Error(`${name} is no plain file`);
  return file;
}
