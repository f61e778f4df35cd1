// A server with a real Docker engine, and nothing else of this machine: a Debian with its own file system, network and
// containers. It reaches the internet through slirp4netns, so neither the network nor the firewall of this machine changes.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildDebianRoot, needed } from '../debianRoot.ts';
import { endProcess, identify, waitUntil } from '../engines/process.ts';
import { cacheFolder } from '../engines/state.ts';
import { freePort } from '../freePorts.ts';

const PACKAGES = [
  ...['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx', 'iptables', 'iproute2', 'procps'],
  // What docs/install-compose.md expects of a server, and what checks its scripts.
  ...['ca-certificates', 'curl', 'git', 'openssl', 'shellcheck'],
];
const START_SECONDS = 60;
/** Of the gateway, in both Compose files. */
const OPEN_FILES = 1_048_576;
const MORTAL = ['--pdeathsig=KILL', '--'];
/** The address of the server for slirp4netns. */
const ADDRESS = '10.0.2.100';
/** The loopback address of this machine, as the server and its containers see it. */
export const HOST = '10.0.2.2';

export type Result = { status: number | null; out: string; err: string };
type Options = { minutes?: number; input?: string };

/** Why no Docker engine can start on this machine. */
export function withoutDocker(): string | undefined {
  if (process.platform !== 'linux') return 'This is not Linux.';
  if (process.getuid?.() !== 0) return 'This is not root.';
  const { status, stderr } = spawnSync('unshare', ['--mount', '--net', 'true'], { encoding: 'utf8' });
  return status === 0 ? undefined : `This machine allows no namespaces: ${stderr}`;
}

/** In the file system of the server. The engine's data needs a file system that is no overlay. */
const BOOT = `set -e
root=$1 own=$2
mount -t overlay overlay -o "lowerdir=$root,upperdir=$own/changed,workdir=$own/work" "$own/root"
cd "$own/root"
mkdir -p outside var/lib/docker
mount --bind "$own/docker" var/lib/docker
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs run run
mount -t tmpfs tmp tmp
pivot_root . outside
umount -l /outside
echo nameserver 10.0.2.3 > /etc/resolv.conf
ip link set lo up
exec dockerd > /var/log/dockerd.log 2>&1`;

export class Server {
  readonly #own: string;
  /** The pid of the engine, which is the first process of the server. */
  readonly #first: string;
  readonly #processes: ChildProcess[];

  private constructor(own: string, first: string, processes: ChildProcess[]) {
    this.#own = own;
    this.#first = first;
    this.#processes = processes;
  }

  /** With the repository at /repository: only what is committed. */
  static async start(checkout: string): Promise<Server> {
    const root = join(cacheFolder(), 'docker-1');
    buildDebianRoot(root, PACKAGES, 'Docker');
    needed('slirp4netns', 'slirp4netns');
    const own = mkdtempSync(join(cacheFolder(), 'server-'));
    for (const folder of ['changed', 'work', 'root', 'docker']) mkdirSync(join(own, folder));
    // Every process of the server ends with this one, however it ends.
    const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--propagation=private'];
    const boot = [...MORTAL, 'unshare', ...namespaces, 'bash', '-c', BOOT, 'boot', root, own];
    const engine = spawn('setpriv', boot, { stdio: ['ignore', 'ignore', 'inherit'] });
    const booted = (): boolean => engine.exitCode !== null || nameOf(childOf(engine.pid)) === 'dockerd';
    await waitUntil(booted, START_SECONDS);
    const first = childOf(engine.pid);
    const options = ['--configure', '--mtu=65520', `--api-socket=${join(own, 'network')}`, first, 'tap0'];
    const network = spawn('setpriv', [...MORTAL, 'slirp4netns', ...options], { stdio: 'ignore' });
    const server = new Server(own, first, [engine, network]);
    const answers = (): boolean => server.exec(['docker', 'info']).status === 0;
    if (!(await waitUntil(answers, START_SECONDS))) {
      const log = server.attempt('tail -n 40 /var/log/dockerd.log').out;
      await server.stop();
      throw new Error(`The Docker engine did not start:\n${log}`);
    }
    server.copy(repository(checkout, own), '/repository');
    return server;
  }

  /** A path of the server, as this machine sees it. */
  path(there: string): string {
    return `/proc/${this.#first}/root${there}`;
  }

  copy(from: string, to: string): void {
    cpSync(from, this.path(to), { recursive: true });
  }

  exec(command: string[], { minutes = 5, input = '' }: Options = {}): Result {
    const enter = ['--target', this.#first, '--mount', '--net', '--pid', '--root', '--wdns=/root'];
    const { status, stdout, stderr } = spawnSync('nsenter', [...enter, ...command], {
      ...{ encoding: 'utf8', input, timeout: minutes * 60_000, maxBuffer: 1 << 27 },
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    });
    return { status, out: stdout, err: stderr };
  }

  attempt(lines: string, options: Options = {}): Result {
    return this.exec(['bash', '-euc', lines], options);
  }

  run(lines: string, options: Options = {}): string {
    return succeeded(lines, this.attempt(lines, options));
  }

  /** In the clone of the repository. */
  inClone(lines: string, options: Options = {}): string {
    return this.run(`cd settee\n${lines}`, options);
  }

  attemptInClone(lines: string): Result {
    return this.attempt(`cd settee\n${lines}`);
  }

  /** A port of this machine that leads to a port of the server. */
  async forward(port: number): Promise<number> {
    const host = await freePort();
    const addresses = { host_addr: '127.0.0.1', host_port: host, guest_addr: ADDRESS, guest_port: port };
    const socket = connect(join(this.#own, 'network'));
    socket.end(JSON.stringify({ execute: 'add_hostfwd', arguments: { proto: 'tcp', ...addresses } }));
    const answer = await text(socket);
    if (answer.includes('error')) throw new Error(answer);
    return host;
  }

  /** Removes Settee: its containers, volumes, image and clone. */
  reset(file: string): void {
    this.inClone(`docker compose -f ${file} --profile cli down --volumes --rmi local`);
    this.run('rm -rf settee /var/backups/settee');
  }

  async stop(): Promise<void> {
    this.attempt('docker ps --quiet | xargs --no-run-if-empty docker kill');
    for (const { pid, exitCode } of this.#processes)
      if (pid !== undefined && exitCode === null) await endProcess(identify(pid), 'SIGTERM', 20);
    rmSync(this.#own, { recursive: true, force: true });
    // The engine leaves empty control groups.
    const groups = ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', '*/docker*'];
    spawnSync('find', [...groups, '-exec', 'rmdir', '{}', ';'], { stdio: 'ignore' });
  }
}

export function succeeded(lines: string, { status, out, err }: Result): string {
  if (status !== 0) throw new Error(`On the server, this ended with ${status}:\n${lines}\n${out}\n${err}`);
  return out;
}

/** A clone, without what is not committed. Compose asks for as many open files as this machine can give. */
function repository(checkout: string, folder: string): string {
  const clone = join(folder, 'clone');
  const bare = join(folder, 'repository');
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@settee.example', ...args]);
  git('clone', '--quiet', '--depth=1', `file://${checkout}`, clone);
  const most = Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  if (most < OPEN_FILES) {
    for (const name of ['compose.yaml', 'compose.small.yaml']) {
      const file = join(clone, 'ops', name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(`nofile: ${OPEN_FILES}`, `nofile: ${most}`));
    }
    git('-C', clone, 'commit', '--quiet', '--all', '--message=Ask for fewer open files');
  }
  git('clone', '--quiet', '--bare', clone, bare);
  return bare;
}

function childOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

function nameOf(pid: string): string {
  return pid === '' ? '' : readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

/** On this machine. */
export function run(program: string, args: string[], options: { cwd?: string } = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ encoding: 'utf8', maxBuffer: 1 << 26, ...options },
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
