import { randomUUID } from 'node:crypto';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
