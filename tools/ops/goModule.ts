// Fetches a file of a Go module. The pinned hash makes sure that its content is known.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
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

/** Of the Prometheus operator. */
export const podMonitorCrd: ModuleFile = {
  module: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.94.1',
  sum: 'h1:QEIb2wenPH+SdMN1xMf8l4Pmj00YYXXI6HlbLlQWkww=',
  path: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
};
/** Of CloudNativePG. */
export const postgresClusterCrd: ModuleFile = {
  module: 'github.com/cloudnative-pg/cloudnative-pg',
  version: 'v1.29.0',
  sum: 'h1:49Dm8+y4va7RODspJjeaK8uMWP3OGAD0gMsxhjm16Mo=',
  path: 'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
};

/** The content of a JSON or YAML file. Cached. */
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
  const text = readFileSync(cached, 'utf8');
  return path.endsWith('.json') ? JSON.parse(text) : parse(text);
}
