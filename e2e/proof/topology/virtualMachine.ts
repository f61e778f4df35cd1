import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildDebianRoot } from '../../../tools/debianRoot.ts';
import { lastLines } from '../../../tools/engines/process.ts';
import { cacheFolder, instanceFolder } from '../../../tools/engines/state.ts';
import { onLeave } from './installation.ts';

const PACKAGES = [
  ...['qemu-system-x86', 'qemu-utils', 'linux-image-amd64'],
  ...['kmod', 'busybox-static', 'e2fsprogs'],
];
/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'power-cut-1');
/** In the virtual machine's kernel, these are no part of it. */
const MODULES = ['virtio_pci', 'virtio_blk', 'virtio_net', 'ext4', '9p', '9pnet_virtio'];

/** The instance of what it needs while it is prepared. */
export const MACHINE = 'power-cut';
const FOLDER = join(instanceFolder(MACHINE), 'machine');
const [LOG, INITRD, DISK, CACHED] = ['log', 'initrd', 'disk', 'disk.cached'].map((name) =>
  join(FOLDER, name),
) as [string, string, string, string];
const DISK_SIZE = '1G';
const ASK_EVERY_MS = 200;
/** Only for a machine that hangs. */
const STARTS_WITHIN_MS = 900_000;
/** Where the machine has its disk. Its programs are those of this computer, which it cannot change. */
export const MOUNTED = '/mnt';

/** Why there can be no virtual machine here. */
export function lacks(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  try {
    buildDebianRoot(ROOT, PACKAGES, 'QEMU and a Linux kernel', { suite: 'bookworm', variant: 'extract' });
    return undefined;
  } catch (error) {
    return `its Debian packages cannot be installed: ${String(error)}`;
  }
}

/**
 * A computer whose memory is lost when its power is cut, and everything that its disk has not been told to write. It is
 * slow, because it works without KVM.
 */
export class VirtualMachine {
  readonly #ports: readonly number[];
  #qemu: ChildProcess | undefined;

  /** Its disk gets the files of `folder`, and it runs the script `start` among them. Its ports are also ours. */
  constructor(options: { folder: string; ports: readonly number[]; mountOptions: string }) {
    const { folder, ports, mountOptions } = options;
    this.#ports = ports;
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    inRoot('mke2fs', '-q', '-t', 'ext4', '-d', `/mnt${folder}`, `/mnt${DISK}`, DISK_SIZE);
    makeInitrd(mountOptions);
    onLeave(() => this.#end());
  }

  /** Returns when `isReady` says so. Throws if the machine ends before. */
  async boot(isReady: () => Promise<boolean>): Promise<void> {
    // QEMU keeps in memory which parts of the upper file were written, until the machine tells its disk to write its
    // cache. So a power cut also loses what a disk had only in its cache.
    const over = ['-b', `/mnt${DISK}`, '-F', 'raw', `/mnt${CACHED}`];
    inRoot('qemu-img', 'create', '-q', '-f', 'qcow2', '-o', 'cluster_size=4k', ...over);
    const log = openSync(`${LOG}.qemu`, 'w', 0o600);
    const qemu = spawn('unshare', [...ENTER, 'qemu-system-x86_64', ...this.#hardware()], {
      stdio: ['ignore', log, log],
      env: ENVIRONMENT,
    });
    closeSync(log);
    this.#qemu = qemu;
    const deadline = performance.now() + STARTS_WITHIN_MS;
    while (!(await isReady())) {
      if (qemu.exitCode !== null || qemu.signalCode !== null || performance.now() > deadline)
        throw new Error(`the machine did not start: ${lastLines(LOG)}\n${lastLines(`${LOG}.qemu`)}`);
      await sleep(ASK_EVERY_MS);
    }
  }

  #hardware(): string[] {
    const forwards = this.#ports.map((port) => `,hostfwd=tcp:127.0.0.1:${port}-:${port}`).join('');
    return [
      ...['-accel', 'tcg,thread=multi', '-machine', 'q35', '-cpu', 'max', '-m', '1024'],
      ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-serial', `file:/mnt${LOG}`],
      ...['-kernel', `/boot/vmlinuz-${kernelOf(ROOT)}`, '-initrd', `/mnt${INITRD}`],
      ...[
        '-append',
        'console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=1 tsc=reliable no_timer_check',
      ],
      // This computer does not lose its power, so QEMU need not wait for the real disk.
      ...['-drive', `if=none,id=disk,file=/mnt${CACHED},format=qcow2,cache=unsafe`],
      ...['-device', 'virtio-blk-pci,drive=disk'],
      ...['-virtfs', 'local,path=/mnt,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
      ...['-netdev', `user,id=net,restrict=on${forwards}`, '-device', 'virtio-net-pci,netdev=net,romfile='],
    ];
  }

  /** The next boot finds what the disk has kept. */
  async cutPower(): Promise<void> {
    await this.#end();
    inRoot('qemu-img', 'commit', '-q', '-t', 'unsafe', `/mnt${CACHED}`);
  }

  async #end(): Promise<void> {
    const qemu = this.#qemu;
    if (qemu === undefined || qemu.exitCode !== null || qemu.signalCode !== null) return;
    const gone = new Promise((done) => qemu.once('exit', done));
    qemu.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.#end();
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
/** Programs of the root see the files of this computer in /mnt. They end with this process. */
const ENTER = [
  ...['--mount', 'sh', '-c'],
  'mkdir -p "$0/mnt" && mount --rbind / "$0/mnt" && exec setpriv --pdeathsig KILL chroot "$0" "$@"',
  ROOT,
];

function inRoot(...command: string[]): string {
  return execFileSync('unshare', [...ENTER, ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
  });
}

function kernelOf(root: string): string {
  return readdirSync(join(root, 'lib/modules'))[0] ?? '';
}

/** What the kernel finds first: its modules, and a program that never ends, or the kernel stops. */
function makeInitrd(mountOptions: string): void {
  const kernel = kernelOf(ROOT);
  const folder = join(FOLDER, 'initial');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  inRoot('depmod', kernel);
  const needed = MODULES.map((name) => inRoot('modprobe', '-S', kernel, '--show-depends', name)).join('');
  const modules = [...new Set([...needed.matchAll(/^insmod (\S+)/gm)].map(([, file]) => file ?? ''))];
  for (const file of modules) copyFileSync(join(ROOT, file), join(folder, basename(file)));
  copyFileSync(join(ROOT, 'bin/busybox'), join(folder, 'bin/busybox'));
  const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mkdir -p /proc /dev /host
mount -t devtmpfs dev /dev
mount -t proc proc /proc
${modules.map((file) => `insmod /${basename(file)}`).join('\n')}
ip link set lo up
ip addr add 10.0.2.15/24 dev eth0
ip link set eth0 up
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 host /host
mount -t ext4 -o ${mountOptions} /dev/vda /host${MOUNTED}
mount --move /dev /host/dev
mount --move /proc /host/proc
mkdir -p /host/dev/shm
mount -t tmpfs shm /host/dev/shm
exec chroot /host /bin/sh ${MOUNTED}/start
`;
  writeFileSync(join(folder, 'init'), init, { mode: 0o755 });
  inRoot('busybox', 'sh', '-c', `cd /mnt${folder} && find . | cpio -o -H newc > /mnt${INITRD}`);
}
