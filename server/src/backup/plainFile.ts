import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';

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
