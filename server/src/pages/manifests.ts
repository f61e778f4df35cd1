import {
  directionOf,
  type Language,
  staffLanguages,
  visitorLanguages,
} from '@settee/protocol/texts/languages';
import { staffCatalogues } from '@settee/protocol/translations/translations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { languageOf } from '../platform/http/language.ts';
import { readBrandOrDefault } from './visitorPage.ts';

const FILE = 'manifest.webmanifest';

type Manifest = Record<string, unknown>;

/** Colours of the light theme. An open page sets its own colours in both themes. */
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
 * Web app manifests, for pages that are installed on the Home Screen. Each chat is an app of its own, with the name of
 * its profile. A link preview or a robot learns nothing else here.
 */
export function serveManifests(app: App, server: FastifyInstance): void {
  const serve = (path: string, content: (request: ManifestRequest, name: string) => Manifest): void => {
    server.get<{ Params: { token: string } }>(`${path}/${FILE}`, async (request, reply) => {
      const { displayName } = await readBrandOrDefault(app, request.params.token ?? '');
      return send(reply, content(request, displayName));
    });
  };
  const forVisitors = (request: ManifestRequest, start: string, name: string) =>
    manifest(start, name, languageOf(request, visitorLanguages));
  serve('/i/:token(^.+$)', (request, name) =>
    forVisitors(request, `/i/${encodeURIComponent(request.params.token)}`, name),
  );
  serve('/chat', (request, name) => forVisitors(request, '/chat', name));
  serve('/chat/:token(^[0-9a-f-]{36}$)', (request, name) =>
    forVisitors(request, `/chat/${request.params.token}`, name),
  );
  serve('/handler', (request, name) => {
    const language = languageOf(request, staffLanguages) ?? 'en';
    const { consoleSuffix } = staffCatalogues[language].consoleTexts;
    return { ...manifest('/handler', `${name} · ${consoleSuffix}`, language), short_name: consoleSuffix };
  });
}

type ManifestRequest = FastifyRequest<{ Params: { token: string } }>;

function manifest(start: string, name: string, language: Language = 'en'): Manifest {
  return {
    id: start,
    start_url: start,
    // An installed chat must not open other chats or the console in its window.
    scope: start,
    name,
    short_name: name,
    lang: language,
    dir: directionOf(language),
    display: 'standalone',
    theme_color: SURFACE,
    background_color: PAPER,
    icons,
  };
}

/** Never compressed, because it repeats a token. */
function send(reply: FastifyReply, content: Manifest): FastifyReply {
  return reply
    .header('x-robots-tag', 'noindex')
    .header('vary', 'Accept-Language, Cookie')
    .type('application/manifest+json; charset=utf-8')
    .send(JSON.stringify(content));
}

function icon(src: string, size: string, purpose: string): Record<string, string> {
  return { src, sizes: `${size}x${size}`, type: 'image/png', purpose };
}
