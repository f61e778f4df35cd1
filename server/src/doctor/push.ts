import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Config } from '../platform/config/config.ts';
import { type About, reason } from './finding.ts';

/** One service per browser vendor. */
const SERVICES = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const HTTPS = 443;
const ANSWER_MS = 5_000;

/** Only connects; sends nothing. */
export async function checkPush(about: About, { vapid, pushHosts }: Config): Promise<void> {
  if (vapid === undefined) return about.ok('off: there is no VAPID_PRIVATE_KEY');
  await Promise.all(
    [...SERVICES, ...pushHosts].map(async (service) => {
      try {
        await reach(service);
        about.ok(`${service} can be reached`);
      } catch (error) {
        about.warn(
          `${service} cannot be reached (${reason(error)})`,
          'Allow gateways and workers to reach it on port 443; otherwise browsers of that vendor get no notifications.',
        );
      }
    }),
  );
}

async function reach(service: string): Promise<void> {
  const { hostname, port } = new URL(`https://${service}`);
  const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''));
  const socket = connect({ host: address, port: Number(port) || HTTPS, timeout: ANSWER_MS });
  try {
    await new Promise<void>((done, failed) => {
      socket.once('connect', done).once('error', failed);
      socket.once('timeout', () => failed(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    });
  } finally {
    socket.destroy();
  }
}
