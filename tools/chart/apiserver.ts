// etcd and the API server of Kubernetes on loopback, without nodes and controllers.
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
import { dirname, join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { endProcess, identify, lastLines, waitUntil } from '../engines/process.ts';
import { notice } from '../engines/program.ts';
import { cacheFolder, newSecret } from '../engines/state.ts';
import { freePorts } from '../freePorts.ts';
import { Api } from './api.ts';

const source = join(import.meta.dirname, 'apiserver');
const START_SECONDS = 120;

/** As go.mod requires it. */
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
  await promisify(execFile)('go', ['build', ...flags, '-o', draft, '.'], {
    ...{ cwd: source, maxBuffer: 1 << 24 },
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  });
  renameSync(draft, cached);
  return cached;
}

export class ApiServer {
  readonly api: Api;
  readonly kubeconfig: string;
  /** From the start to the first answer. */
  readonly seconds: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, child: ChildProcess, api: Api, seconds: number) {
    this.seconds = seconds;
    this.#folder = folder;
    this.#process = child;
    this.api = api;
    this.kubeconfig = join(folder, 'kubeconfig');
    const cluster = { server: api.address, 'certificate-authority': certificate(folder) };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'test', user: { token: api.token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    };
    writeFileSync(this.kubeconfig, JSON.stringify(config), { mode: 0o600 });
  }

  static async start(): Promise<ApiServer> {
    const built = await program();
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
    const etcd = [join(folder, 'etcd'), `http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
    const flags = [
      ...['--secure-port', String(port), '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1'],
      ...['--cert-dir', dirname(certificate(folder)), '--endpoint-reconciler-type=none'],
      ...[
        '--service-account-issuer=https://kubernetes.default.svc',
        '--service-cluster-ip-range=10.96.0.0/16',
      ],
      ...['--service-account-signing-key-file', key, '--service-account-key-file', key],
      ...['--token-auth-file', file('tokens.csv', `${token},test,test,system:masters\n`)],
      // Pod security must refuse what the server would allow.
      ...['--authorization-mode=RBAC', '--allow-privileged'],
    ];
    const began = performance.now();
    const child = spawn(built, [...etcd, ...flags], { cwd: folder, stdio: ['ignore', output, output] });
    const address = `https://127.0.0.1:${port}`;
    const answers = async (): Promise<boolean> => {
      if (child.exitCode !== null) return true;
      if (!existsSync(certificate(folder))) return false;
      setDefaultCACertificates([readFileSync(certificate(folder), 'utf8')]);
      const headers = { authorization: `Bearer ${token}` };
      return fetch(`${address}/readyz`, { headers }).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    const ready = await waitUntil(answers, START_SECONDS);
    const seconds = (performance.now() - began) / 1_000;
    const server = new ApiServer(folder, child, new Api(address, token), seconds);
    if (ready && child.exitCode === null) return server;
    const text = lastLines(log);
    await server.stop();
    throw new Error(`The API server did not start:\n${text}`);
  }

  async stop(): Promise<void> {
    const { pid, exitCode } = this.#process;
    if (pid !== undefined && exitCode === null) await endProcess(identify(pid), 'SIGTERM', 10);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const certificate = (folder: string): string => join(folder, 'certificates', 'apiserver.crt');
