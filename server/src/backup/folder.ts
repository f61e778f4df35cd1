import { randomUUID } from 'node:crypto';
import { access, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Fills a folder under another name, and gives it its own when all of it is on the disk: what has the name is whole.
 * What a killed run leaves behind ends in .partial, and can be deleted.
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
  if (there) throw new Error(`${folder} is there already: a backup goes into a folder of its own.`);
}

/** After this the names in it outlive a power failure too. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Where a file of a backup lies. A backup may come from somebody else: a link in it could have us read, or wait for,
 * anything that we may open. The folder itself may be reached by links, that is its owner's affair.
 */
export async function plainFile(folder: string, name: string): Promise<string> {
  const file = join(await realpath(folder), name);
  if (!(await lstat(file)).isFile() || (await realpath(file)) !== file)
    throw new Error(`${name} is no plain file`);
  return file;
}
