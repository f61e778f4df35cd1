import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { probeNats } from '../src/adapters/nats.ts';
import { probeS3 } from '../src/adapters/s3Probe.ts';
import { openMail } from '../src/adapters/smtp.ts';
import { systemClock } from '../src/adapters/system.ts';
import { examine } from '../src/doctor/examine.ts';
import type { Finding } from '../src/doctor/finding.ts';

/** Runs the checks in this process: one process per case would take minutes. */
export function doctorOf(
  env: Record<string, string>,
  { offline = false, mailTo }: { offline?: boolean; mailTo?: string } = {},
): Promise<Finding[]> {
  const probes = {
    nats: probeNats,
    s3: (s3: Parameters<typeof probeS3>[0], origin: string) => probeS3(s3, origin, systemClock),
    mail: openMail,
  };
  return examine({ env, offline, mailTo, probes, clock: systemClock });
}

export type Front = { url: string; close(): Promise<void> };

/** A proxy, configured well or badly. */
export async function proxyTo(
  target: () => string,
  how: { from?: string; appends?: boolean; upgrades?: boolean } = {},
): Promise<Front> {
  const ask = (incoming: IncomingMessage) => {
    const given = incoming.headers['x-forwarded-for'];
    const seen = incoming.socket.remoteAddress ?? '';
    const forwarded =
      how.appends === false ? given : [given, seen].filter((each) => each !== undefined).join(', ');
    return request(target() + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
      ...(how.from !== undefined && { localAddress: how.from }),
      agent: false,
    });
  };
  const server = createServer((incoming, answer) => {
    const asked = ask(incoming).on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    asked.on('error', () => answer.destroy());
    incoming.pipe(asked);
  });
  if (how.upgrades !== false) {
    server.on('upgrade', (incoming, socket) => {
      const asked = ask(incoming).on('upgrade', (reply, other) => {
        const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
        other.pipe(socket).pipe(other);
        for (const each of [socket, other]) each.on('error', () => {});
      });
      asked.on('error', () => socket.destroy());
      asked.end();
    });
  }
  return listening(server);
}

/** An S3 server that checks no signature and stores what it gets. */
export async function openS3(): Promise<Front> {
  const kept = new Map<string, Buffer>();
  const keysOf = (): string =>
    Array.from(kept.keys(), (key) => `<Key>${key.split('/').slice(2).join('/')}</Key>`).join('');
  return listening(
    createServer((incoming, answer) => {
      const path = new URL(incoming.url ?? '', 'http://s3').pathname;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        if (incoming.method === 'PUT') kept.set(path, Buffer.concat(chunks));
        if (incoming.method === 'DELETE') kept.delete(path);
        const found = kept.get(path);
        if (['GET', 'HEAD'].includes(incoming.method ?? '') && path.split('/').length > 2)
          answer.writeHead(found === undefined ? 404 : 200).end(found);
        else answer.end(keysOf());
      });
    }),
  );
}

/** A server that gives the same answer to everything. */
export function stranger(): Promise<Front> {
  return listening(createServer((_, answer) => answer.end('It works!')));
}

async function listening(server: Server): Promise<Front> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
