// Fetches a file of a Go module. The pinned hash makes sure that its content is known.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../engines/state.ts';

const run = promisify(execFile);

type ModuleFile = { module: string; version: string; sum: string; path: string };

/** The schema of the Compose specification. */
export const composeSpec: ModuleFile = {
  module: 'github.com/compose-spec/compose-go/v2',
  version: 'v2.16.2',
  sum: 'h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=',
  path: 'schema/compose-spec.json',
};

/** The OpenAPI description of Kubernetes. */
export const kubernetesApi: ModuleFile = {
  module: 'k8s.io/kubernetes',
  version: 'v1.34.1',
  sum: 'h1:F3p8dtpv+i8zQoebZeK5zBqM1g9x1aIdnA5vthvcuUk=',
  path: 'api/openapi-spec/swagger.json',
};

/** The JSON of the file. Cached. */
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
