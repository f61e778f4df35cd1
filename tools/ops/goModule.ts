// A file out of somebody else's Go module: the module's hash is known here, so what comes is what was looked at.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../engines/state.ts';

const run = promisify(execFile);

type ModuleFile = { module: string; version: string; sum: string; path: string };

/** The Compose specification's own schema. */
export const composeSpec: ModuleFile = {
  module: 'github.com/compose-spec/compose-go/v2',
  version: 'v2.16.2',
  sum: 'h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=',
  path: 'schema/compose-spec.json',
};

/** Kubernetes' own description of its API. */
export const kubernetesApi: ModuleFile = {
  module: 'k8s.io/kubernetes',
  version: 'v1.34.1',
  sum: 'h1:F3p8dtpv+i8zQoebZeK5zBqM1g9x1aIdnA5vthvcuUk=',
  path: 'api/openapi-spec/swagger.json',
};

/** The file's JSON; fetched once. */
export async function moduleFile({ module, version, sum, path }: ModuleFile): Promise<unknown> {
  const cached = join(cacheFolder(), 'modules', `${module}@${version}`, path);
  if (!existsSync(cached)) {
    const answer = await run('go', ['mod', 'download', '-json', `${module}@${version}`]).catch(
      (error: Error) => {
        throw new Error(`Go could not fetch ${module}@${version}: ${error.message}`);
      },
    );
    const found = JSON.parse(answer.stdout) as { Dir: string; Sum: string };
    if (found.Sum !== sum) throw new Error(`${module}@${version} has the hash ${found.Sum}, not ${sum}`);
    mkdirSync(dirname(cached), { recursive: true });
    copyFileSync(join(found.Dir, path), `${cached}.${process.pid}.new`);
    renameSync(`${cached}.${process.pid}.new`, cached);
  }
  return JSON.parse(readFileSync(cached, 'utf8'));
}
