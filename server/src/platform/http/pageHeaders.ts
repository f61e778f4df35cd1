import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Security headers of a page. */
export type PageHeaders = Record<string, string>;

/** Browser features that our pages do not use. Disabling them also stops injected scripts. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

export type PageOptions = {
  indexed?: boolean;
  /** The bucket of the media store, if browsers load images there. */
  mediaUrl?: string | undefined;
};

/** Allows only the inline scripts and styles of this page, by their hashes. */
export function pageHeaders(html: string, { indexed = false, mediaUrl }: PageOptions = {}): PageHeaders {
  return {
    'content-security-policy': contentPolicy(html, mediaUrl),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    // A link on an invite's page must not reveal the token to its target.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(!indexed && { 'x-robots-tag': 'noindex' }),
  };
}

/** Everything from our own origin only, and no framing. */
function contentPolicy(html: string, mediaUrl: string | undefined): string {
  const media = mediaUrl === undefined ? '' : ` ${mediaUrl}`;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(html, /<script>([\s\S]*?)<\/script>/g)].join(' '),
    ["style-src 'self'", ...inlineHashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g)].join(' '),
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}`,
    "font-src 'self'",
    `connect-src 'self'${media}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The only policy: it creates the URL of the service worker.
    'trusted-types settee',
  ].join('; ');
}

function inlineHashes(html: string, element: RegExp): string[] {
  return [...html.matchAll(element)].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );
}

/** Answers one request. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
