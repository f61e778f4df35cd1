// etcd and the API server of Kubernetes on loopback, without nodes and controllers. kubectl and Helm talk to it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildDebianRoot } from '../debianRoot.ts';
import { endProcess, identify, lastLines, waitUntil } from '../engines/process.ts';
import { notice } from '../engines/program.ts';
import { cacheFolder, newSecret } from '../engines/state.ts';
import { freePorts } from '../freePorts.ts';
import { helmProgram } from '../programs.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, 'apiserver');
const START_SECONDS = 120;
const COMMAND_MS = 180_000;

export const kubernetesVersion = /k8s\.io\/kubernetes (v\S+)/.exec(read('go.mod'))?.[1] ?? '';

function read(file: string): string {
  return readFileSync(join(source, file), 'utf8');
}

/** Builds the program, once. go.sum has the hash of every module. */
async function program(): Promise<string> {
  const files = ['main.go', 'go.mod', 'go.sum'].map(read).join('');
  const content = createHash('sha256').update(files).digest('hex').slice(0, 12);
  const name = `kube-apiserver-${kubernetesVersion}-${content}-${process.platform}-${process.arch}`;
  const cached = join(cacheFolder(), name, 'kube-apiserver');
  if (existsSync(cached)) return cached;
  notice(`building kube-apiserver ${kubernetesVersion} with Go; this can take a quarter of an hour, once …`);
  mkdirSync(dirname(cached), { recursive: true });
  const draft = `${cached}.${process.pid}.new`;
  const version = `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`;
  const flags = ['-mod=readonly', '-buildvcs=false', '-trimpath', `-ldflags=-s -w ${version}`];
  await run('go', ['build', ...flags, '-o', draft, '.'], {
    ...{ cwd: source, maxBuffer: 1 << 24 },
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  });
  renameSync(draft, cached);
  return cached;
}

export class Cluster {
  readonly checkout: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #path: string;

  private constructor(checkout: string, folder: string, child: ChildProcess, path: string) {
    this.checkout = checkout;
    this.#folder = folder;
    this.#process = child;
    this.#path = path;
  }

  static async start(checkout: string): Promise<Cluster> {
    const built = await program();
    const root = join(cacheFolder(), 'kubectl-1');
    buildDebianRoot(root, ['kubernetes-client'], 'kubectl');
    const path = [dirname(await helmProgram()), join(root, 'usr/bin'), process.env.PATH].join(delimiter);
    const folder = mkdtempSync(join(tmpdir(), 'settee-kubernetes-'));
    const [port, clients, peers] = await freePorts(3);
    const token = newSecret();
    const file = (name: string, text: string | Buffer): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = file('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const log = join(folder, 'log');
    const output = openSync(log, 'a');
    const certificates = join(folder, 'certificates');
    const etcd = [join(folder, 'etcd'), `http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
    const flags = [
      ...['--secure-port', String(port), '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1'],
      ...['--cert-dir', certificates, '--endpoint-reconciler-type=none'],
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.96.0.0/16',
      ...['--service-account-signing-key-file', key, '--service-account-key-file', key],
      ...['--token-auth-file', file('tokens.csv', `${token},test,test,system:masters\n`)],
      // Pod security must refuse what the server would allow.
      ...['--authorization-mode=RBAC', '--allow-privileged'],
    ];
    const server = `https://127.0.0.1:${port}`;
    const cluster = { server, 'certificate-authority': join(certificates, 'apiserver.crt') };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'test', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    };
    file('kubeconfig', JSON.stringify(config));
    const child = spawn(built, [...etcd, ...flags], { cwd: folder, stdio: ['ignore', output, output] });
    const started = new Cluster(checkout, folder, child, path);
    const answers = (): Promise<boolean> =>
      started.run('kubectl get --raw /readyz').then(
        () => true,
        () => child.exitCode !== null,
      );
    if ((await waitUntil(answers, START_SECONDS)) && child.exitCode === null) return started;
    const text = lastLines(log);
    await started.stop();
    throw new Error(`The API server did not start:\n${text}`);
  }

  /** A line of a guide, or another command of kubectl or Helm. Returns its output. */
  async run(line: string, input = ''): Promise<string> {
    const command = run('bash', ['-euo', 'pipefail', '-c', line], {
      ...{ cwd: this.checkout, timeout: COMMAND_MS, maxBuffer: 1 << 26 },
      env: { ...process.env, KUBECONFIG: join(this.#folder, 'kubeconfig'), PATH: this.#path },
    });
    command.child.stdin?.end(input);
    return (await command).stdout;
  }

  /** Accepts only pods of the profile `restricted`. */
  async createNamespace(name: string): Promise<void> {
    const profile = 'pod-security.kubernetes.io';
    await this.run(`kubectl create namespace ${name}
      kubectl label namespace ${name} ${profile}/enforce=restricted ${profile}/warn=restricted`);
    // A controller would create it.
    await this.run(`kubectl create serviceaccount default --namespace ${name}`);
  }

  /** Adds the kinds in a file of a Go module, whose hash makes sure that its content is known. */
  async define({ module, sum, file }: { module: string; sum: string; file: string }): Promise<void> {
    const { stdout } = await run('go', ['mod', 'download', '-json', module]);
    const found = JSON.parse(stdout) as { Dir: string; Sum: string };
    if (found.Sum !== sum) throw new Error(`${module} has the hash ${found.Sum}, not ${sum}`);
    await this.run(`kubectl create --filename '${join(found.Dir, file)}'
      kubectl wait --for=condition=Established crd --all`);
  }

  async stop(): Promise<void> {
    const { pid, exitCode } = this.#process;
    if (pid !== undefined && exitCode === null) await endProcess(identify(pid), 'SIGTERM', 10);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
