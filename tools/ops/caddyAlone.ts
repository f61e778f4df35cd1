// What Caddy does by itself, with no gateway of ours behind it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../freePorts.ts';
import { Edge } from './edge.ts';
import type { Tests } from './tests.ts';

type Parts = { caddy: string; checkout: string; user: { uid?: number; gid?: number } };

/** An address of this machine that only a visitor here has. */
const VISITOR = '127.0.0.2';
/** Known to nobody but whoever claims it. */
const [FORGED, CLIENT] = ['203.0.113.7', '198.51.100.9'];
const WRITES_WITHIN_MS = 10_000;

export async function caddyAlone(tests: Tests, parts: Parts): Promise<void> {
  await tests.run('[OPEN-308] what Caddy writes while no gateway answers says nothing of the visitor', () =>
    writesNothingOfVisitors(parts),
  );
  await tests.run('[OPEN-309] a gateway is told one address, whoever stands before Caddy', () =>
    tellsOneAddress(parts),
  );
}

async function start(parts: Parts, gateway: number, servers: string[] = []): Promise<Edge> {
  const [port = 0] = await freePorts(1);
  const behind = { gateways: [gateway], s3: 'http://127.0.0.1:1', withoutGateways: true };
  return Edge.start({ ...parts, ...behind, port, servers });
}

async function writesNothingOfVisitors(parts: Parts): Promise<void> {
  const [nobody = 0] = await freePorts(1);
  const edge = await start(parts, nobody);
  try {
    const canary = `canary${randomUUID()}`;
    const headers = { 'user-agent': canary, referer: `https://localhost/i/${canary}`, cookie: `a=${canary}` };
    const { status } = await edge.ask(`/i/${canary}?from=${canary}`, { from: VISITOR, headers });
    if (status !== 502) throw new Error(`without a gateway Caddy answered ${status}`);
    const deadline = performance.now() + WRITES_WITHIN_MS;
    while (!edge.said().includes('http.log.error')) {
      if (performance.now() > deadline) throw new Error(`Caddy wrote no error, but:\n${edge.said()}`);
      await sleep(50);
    }
    const told = [canary, VISITOR].filter((word) => edge.said().includes(word));
    if (told.length > 0) throw new Error(`Caddy wrote ${told.join(' and ')}:\n${edge.said()}`);
  } finally {
    await edge.stop();
  }
}

/** As a gateway sees it: alone, behind no proxy but Caddy; and behind one more, which adds the address that it saw. */
async function tellsOneAddress(parts: Parts): Promise<void> {
  const told: (string | undefined)[] = [];
  const gateway = createServer((request, answer) => {
    told.push(request.headersDistinct['x-forwarded-for']?.join('; '));
    answer.end();
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  const trusted = [`trusted_proxies static ${VISITOR}`, 'trusted_proxies_strict'];
  try {
    for (const servers of [[], trusted]) {
      const edge = await start(parts, port, servers);
      const headers = { 'x-forwarded-for': `${FORGED}, ${CLIENT}` };
      try {
        await edge.ask('/', { from: VISITOR, headers });
      } finally {
        await edge.stop();
      }
    }
  } finally {
    gateway.close();
  }
  if (told.join(' | ') !== `${VISITOR} | ${CLIENT}`) throw new Error(`it was told ${told.join(' | ')}`);
}
