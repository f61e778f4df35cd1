// Re-encodes one image: file from standard input, answer to standard output. Started by runChild.ts as: node child.ts
// <kind> <wall ms> <CPU ms> <bytes> <parent pid> <shape>
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { writeAnswer } from './answer.ts';
import { allowOnlyLoader, draw } from './draw.ts';
import { isKind } from './kinds.ts';

const CHECK_INTERVAL_MS = 25;

/**
 * Enforces the limits if the parent cannot, or is gone. libvips works on other threads, so this one is not blocked.
 */
function enforceLimits(limits: { wallMs: number; cpuMs: number; memoryBytes: number; parent: number }): void {
  const end = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(end, limits.wallMs).unref();
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1_000 > limits.cpuMs) end();
    if (process.memoryUsage.rss() > limits.memoryBytes) end();
    if (process.ppid !== limits.parent) end();
  }, CHECK_INTERVAL_MS).unref();
}

const [kind, wallMs, cpuMs, memoryBytes, parent, shape] = process.argv.slice(2);
if (!isKind(kind)) throw new Error('child.ts is started by runChild.ts');
enforceLimits({
  wallMs: Number(wallMs),
  cpuMs: Number(cpuMs),
  memoryBytes: Number(memoryBytes),
  parent: Number(parent),
});
// A service manager sends SIGTERM to every process. The parent still waits for this image, and kills us if not.
process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
allowOnlyLoader(kind);
const answer = await draw(await buffer(process.stdin), kind, shape === 'square' ? shape : 'picture');
for (const part of writeAnswer(answer)) {
  if (!process.stdout.write(part)) await once(process.stdout, 'drain');
}
