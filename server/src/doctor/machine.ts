import { existsSync, readFileSync } from 'node:fs';
import { access, appendFile, constants, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { detectIsolation } from '../images/isolation.ts';
import type { Config } from '../platform/config/config.ts';
import { type About, reason } from './finding.ts';

const NODE_MIN = 24;
/** Each socket is a file; browsers, PostgreSQL and NATS need more. */
const FILES_WANTED = 10_000;
const GIGABYTE = 1_000_000_000;
const SPACE_WANTED = 2 * GIGABYTE;
const SPACE_MIN = GIGABYTE / 5;

/** Checks without network access. */
export async function checkMachine(about: About, config: Config): Promise<void> {
  checkNode(about.on('Node.js'));
  checkFiles(about.on('open files'));
  await checkIsolation(about.on('image process'));
  checkPages(about.on('pages'), config);
  if (config.s3 === undefined) await checkMediaRoot(about.on('MEDIA_ROOT'), config.mediaRoot);
  await checkSecurityLog(about.on('SECURITY_LOG'), config.securityLog);
  await checkSpace(about.on('disk'), config);
}

function checkNode(about: About): void {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= NODE_MIN) about.ok(version);
  else about.fail(`${version} is too old`, `Run it with Node.js ${NODE_MIN} or newer.`);
}

/** Only on Linux. */
function checkFiles(about: About): void {
  const limits = '/proc/self/limits';
  if (!existsSync(limits)) return;
  const soft = /^Max open files\s+(\S+)/m.exec(readFileSync(limits, 'utf8'))?.[1] ?? 'unlimited';
  if (soft === 'unlimited' || Number(soft) >= FILES_WANTED) about.ok(`a process may open ${soft}`);
  else
    about.warn(
      `a process may open ${soft}, which also limits the sockets of a gateway`,
      `Raise the limit to ${FILES_WANTED} or more: LimitNOFILE= in a systemd unit, ulimits in compose.`,
    );
}

const ISOLATED = {
  bubblewrap: 'has no network, and sees no files but its own program',
  unshare: 'has no network, but can read the files of this user',
};

/** Only of the machine or container where doctor runs. */
async function checkIsolation(about: About): Promise<void> {
  const { name } = await detectIsolation();
  if (name === 'bubblewrap') return about.ok(`${ISOLATED[name]} (${name})`);
  const [says, remedy] =
    name === 'unshare'
      ? [`${ISOLATED[name]} (${name})`, 'Install bubblewrap.']
      : [
          'has the network and the files of this user',
          'Install bubblewrap and allow user namespaces. Most containers cannot have them: see docs/security.md.',
        ];
  about.warn(says, remedy);
}

function checkPages(about: About, { webRoot }: Config): void {
  if (existsSync(join(resolve(webRoot), 'visitor.html'))) about.ok(`are in ${webRoot}`);
  else about.fail(`there are none in ${webRoot}`, 'Run npm run build, or set WEB_ROOT to where they are.');
}

async function checkMediaRoot(about: About, mediaRoot: string): Promise<void> {
  try {
    await tryWriting(mediaRoot);
    about.ok(`${mediaRoot} can be written`);
  } catch (error) {
    about.fail(
      `${mediaRoot} cannot be written (${reason(error)})`,
      'Create the folder for the user that runs the gateway, or set MEDIA_ROOT to another one.',
    );
  }
}

async function checkSecurityLog(about: About, securityLog: string): Promise<void> {
  if (['off', 'stdout'].includes(securityLog)) return;
  try {
    if (existsSync(securityLog)) await appendFile(securityLog, '');
    else await tryWriting(dirname(resolve(securityLog)));
    about.ok(`${securityLog} can be written`);
  } catch (error) {
    about.fail(
      `${securityLog} cannot be written (${reason(error)})`,
      'Let the user that runs the gateway write to it, or set SECURITY_LOG to another file.',
    );
  }
}

async function tryWriting(folder: string): Promise<void> {
  const probe = join(folder, `.doctor-${process.pid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(probe, 'x', { mode: 0o600 });
  await rm(probe);
}

async function checkSpace(about: About, { mediaRoot, backupDir, s3 }: Config): Promise<void> {
  const folders = [
    '.',
    ...(s3 === undefined ? [mediaRoot] : []),
    ...(backupDir === undefined ? [] : [backupDir]),
  ];
  for (const folder of folders) {
    const { bavail, bsize } = await statfs(await nearest(resolve(folder)));
    const free = bavail * bsize;
    const says = `${(free / GIGABYTE).toFixed(1)} GB free under ${folder}`;
    const remedy = 'Free space, or move the folder to a larger disk.';
    if (free < SPACE_MIN) about.fail(says, remedy);
    else if (free < SPACE_WANTED) about.warn(says, remedy);
    else about.ok(says);
  }
}

/** The folder, or the nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  const there = await access(folder, constants.F_OK).then(
    () => true,
    () => false,
  );
  return there || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
