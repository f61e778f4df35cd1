import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUser } from '../../tools/engines/postgres-binaries.ts';
import { instanceFolder, writePrivately } from '../../tools/engines/state.ts';

export const INSTANCE = 'region';

/** All files of the region: disks, configurations, logs, histories and the result. */
export const FOLDER = instanceFolder(INSTANCE);

/** PostgreSQL refuses to run as root. Undefined if we are not root. */
export const user = postgresUser();

/** Writes a configuration that the programs of the region can read. Returns its path. */
export function writeConfig(name: string, text: string): string {
  const file = join(FOLDER, name);
  writePrivately(file, text);
  give(file);
  return file;
}

export function give(path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}
