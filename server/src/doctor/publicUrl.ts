import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Config } from '../platform/config/config.ts';
import { type About, reason } from './finding.ts';

const ANSWER_MS = 10_000;

/** What the database says about this installation. */
type Known = { publicName: string | undefined; hasDatabase: boolean };

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Connects like a browser, through the public URL and all proxies. Returns whether a gateway answers there. */
export async function checkPublicUrl(
  about: About,
  { publicUrl }: Config,
  { running, ...known }: { running: boolean } & Known,
): Promise<boolean> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') about.ok(`${publicUrl} is https`);
  else if (THIS_MACHINE.has(hostname)) about.ok(`${publicUrl} is for this machine only`);
  else
    about.fail(
      `${publicUrl} is not https: chats work, but cookies can be intercepted, and browsers allow no notifications, no service worker, no passkeys and no copy buttons`,
      'Put a proxy with a certificate in front, and set PUBLIC_URL to its https address. docs/install.md lists what works without it.',
    );
  if (!running) return false;
  const answers = await checkAnswer(about, publicUrl, known);
  if (answers) await checkUpgrade(about, publicUrl);
  return answers;
}

async function checkAnswer(
  about: About,
  publicUrl: string,
  { publicName, hasDatabase }: Known,
): Promise<boolean> {
  // Without its database, no gateway answers correctly. That says nothing about the proxy.
  const fail: About['fail'] = (says, remedy) =>
    hasDatabase
      ? about.fail(says, remedy)
      : about.warn(
          `${publicUrl} could not be checked, because the database does not answer`,
          'Repair the database first, and run doctor again.',
        );
  try {
    const answer = await fetch(`${publicUrl}/brand`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { brand } = (await answer.json().catch(() => ({}))) as { brand?: { displayName?: string } };
    if (brand?.displayName === undefined) {
      fail(
        `something else answers at ${publicUrl} (status ${answer.status})`,
        'Route all paths of that address to the gateway, unchanged. Check the proxy and PUBLIC_URL.',
      );
      return false;
    }
    if (publicName !== undefined && brand.displayName !== publicName) {
      fail(
        `another installation answers at ${publicUrl}`,
        'Check that the proxy routes to a gateway of this database, and that PUBLIC_URL and DATABASE_URL belong together.',
      );
      return false;
    }
    about.ok('a gateway of this installation answers there');
    return true;
  } catch (error) {
    const why = reason(error);
    const certificate = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(why);
    if (certificate)
      fail(`its certificate is not accepted (${why})`, 'Give the proxy a certificate for that name.');
    else
      fail(
        `${publicUrl} does not answer (${why})`,
        'Start the gateway and the proxy, and check that the name resolves to this machine; or run doctor with --offline.',
      );
    return false;
  }
}

/** Opens a WebSocket like a browser, but sends no frame. */
async function checkUpgrade(about: About, publicUrl: string): Promise<void> {
  const socket = new WebSocket(`${publicUrl.replace(/^http/, 'ws')}/live`, {
    origin: publicUrl,
    handshakeTimeout: ANSWER_MS,
  });
  try {
    await once(socket, 'open');
    about.ok('a WebSocket can be opened there');
  } catch (error) {
    const status = /Unexpected server response: (\d+)/.exec((error as Error).message)?.[1];
    if (status === '403')
      about.fail(
        'a gateway there refuses pages from this PUBLIC_URL (403)',
        'Start the gateways with the same PUBLIC_URL as this command.',
      );
    else
      about.fail(
        `no WebSocket can be opened there (${status ?? reason(error)})`,
        'Make the proxy forward Upgrade and Connection for /live, with HTTP/1.1 to the gateway and long timeouts.',
      );
  } finally {
    socket.on('error', () => {});
    socket.terminate();
  }
}
