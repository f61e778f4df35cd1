import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of outgoing connections (32768 and up on Linux). Inside it, a client that retries a killed server can
// get that port itself, connect to itself, and keep the server from restarting.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;

/** Returns free ports on loopback. No other process gets them from here before this one has ended. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isOurs(port)) ports.add(port);
  }
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Returns the first of so many consecutive free ports on loopback. */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const rest = Array.from({ length: count - 1 }, (_, index) => isOurs(first + index + 1));
    if ((await Promise.all(rest)).every(Boolean)) return first;
  }
}

async function isOurs(port: number): Promise<boolean> {
  return (await reservePort(port)) && portIsFree(port);
}

/**
 * Whether no other process has reserved the port. Nothing listens on it: a server that starts a minute later must still
 * find it free, although another process chooses its ports meanwhile. Only on Linux: the name ends with the process.
 */
export async function reservePort(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const server = createServer().unref();
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code !== 'EADDRINUSE'));
    server.listen({ path: `\0settee-port-${port}`, exclusive: true }, () => done(true));
  });
}

/** Reserves a port until it is released. Returns undefined if it is in use. */
export async function holdPort(port: number): Promise<{ release(): Promise<void> } | undefined> {
  const server = createServer((socket) => socket.destroy());
  const held = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
  });
  if (!held) return undefined;
  return { release: () => new Promise((done) => server.close(() => done())) };
}

export async function portIsFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
