import { digestFile, discard, readRows } from './fileDigest.ts';
import { plainFile } from './folder.ts';
import {
  BadBackup,
  type Manifest,
  OBJECT_LIST,
  readManifest,
  type StoredTable,
  tableFile,
} from './manifest.ts';
import { checkObjects } from './objects.ts';

/** Reads every byte and reports all problems. Needs neither database nor store. Checks the signature with the secrets. */
export async function verifyBackup(
  folder: string,
  secrets?: Parameters<typeof readManifest>[1],
): Promise<Manifest> {
  const manifest = await readManifest(folder, secrets);
  const problems: string[] = [];
  for (const table of manifest.tables) {
    const problem = await tableProblem(folder, table);
    if (problem !== undefined) problems.push(problem);
  }
  const { list, count, bytes } = manifest.objects;
  const found = await plainFile(folder, OBJECT_LIST)
    .then(digestFile)
    .catch(() => undefined);
  if (found?.sha256 !== list.sha256) problems.push(`${OBJECT_LIST} is missing or was changed`);
  else {
    const seen = await checkObjects(folder, (problem) => problems.push(problem));
    if (seen.count !== count || seen.bytes !== bytes)
      problems.push(`${OBJECT_LIST} has ${seen.count} objects, not ${count}`);
  }
  if (problems.length > 0)
    throw new BadBackup(`This backup is damaged:\n${problems.map((text) => `  - ${text}`).join('\n')}`);
  return manifest;
}

async function tableProblem(folder: string, table: StoredTable): Promise<string | undefined> {
  const file = tableFile(table.name);
  try {
    const found = await readRows(await plainFile(folder, file), discard());
    if (found.file.sha256 !== table.file.sha256) return `${file} was changed`;
    if (found.rows !== table.rows || found.digest !== table.digest)
      return `the rows in ${file} are not those of the manifest`;
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `${file} is missing` : `${file} is truncated or was changed`;
  }
}
