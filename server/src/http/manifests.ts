import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import { brandNow } from './visitorPage.ts';

const FILE = 'manifest.webmanifest';

/** The light look's; a page that is open tells the system its own colours, in both looks. */
const SURFACE = '#FFFFFF';
const PAPER = '#FBF7F2';

const icons = [
  ...['192', '512'].flatMap((size) => [
    icon(`/icon-${size}.png`, size, 'any'),
    icon(`/icon-maskable-${size}.png`, size, 'maskable'),
  ]),
  icon('/icon-monochrome-96.png', '96', 'monochrome'),
];

/**
 * What a browser installs when somebody puts a page on their Home Screen: for a chat this very chat, so each is an app
 * of its own. No invite is looked at, as for the page itself: a preview or a robot learns nothing here.
 */
export function serveManifests(app: App, server: FastifyInstance): void {
  server.get<{ Params: { token: string } }>(`/i/:token(^.+$)/${FILE}`, async ({ params }, reply) => {
    const { displayName } = await brandNow(app);
    return send(reply, manifest(`/i/${encodeURIComponent(params.token)}`, displayName));
  });
  server.get(`/chat/${FILE}`, async (_request, reply) => {
    const { displayName } = await brandNow(app);
    return send(reply, manifest('/chat', displayName));
  });
  server.get(`/handler/${FILE}`, async (_request, reply) => {
    const { displayName } = await brandNow(app);
    return send(reply, {
      ...manifest('/handler', `${displayName} · ${consoleTexts.consoleSuffix}`),
      short_name: consoleTexts.consoleSuffix,
    });
  });
}

function manifest(start: string, name: string): Record<string, unknown> {
  return {
    id: start,
    start_url: start,
    // Only its own pages: an installed chat must not open in its window what belongs to another, or to the console.
    scope: start,
    name,
    short_name: name,
    lang: 'en',
    display: 'standalone',
    theme_color: SURFACE,
    background_color: PAPER,
    icons,
  };
}

/** Never compressed: it repeats a token. Never kept either, which is what the server does with all that says nothing. */
function send(reply: FastifyReply, content: Record<string, unknown>): FastifyReply {
  return reply
    .header('x-robots-tag', 'noindex')
    .type('application/manifest+json; charset=utf-8')
    .send(JSON.stringify(content));
}

function icon(src: string, size: string, purpose: string): Record<string, string> {
  return { src, sizes: `${size}x${size}`, type: 'image/png', purpose };
}
