import { createHash } from 'node:crypto';

/** What a page of ours may do; the browser enforces it. */
export type PageHeaders = Record<string, string>;

/** Abilities that no page of ours uses, so that no script that got in can either. */
const NEVER_USED = [
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
  /** Where images are sent and shown from, if not from ourselves. */
  mediaOrigin?: string | undefined;
};

/** For one page, as it was built: its inline scripts are allowed by their hashes, and no others. */
export function pageHeaders(html: string, { indexed = false, mediaOrigin }: PageOptions = {}): PageHeaders {
  return {
    'content-security-policy': contentPolicy(inlineScriptHashes(html), mediaOrigin),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': NEVER_USED.map((ability) => `${ability}=()`).join(', '),
    // A link in an invite's page must not tell the token to where it leads.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(!indexed && { 'x-robots-tag': 'noindex' }),
  };
}

/** Scripts, styles and pictures of our own only; sockets to ourselves; nobody may frame us. */
function contentPolicy(scripts: string[], mediaOrigin: string | undefined): string {
  const media = mediaOrigin === undefined ? '' : ` ${mediaOrigin}`;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map((hash) => `'sha256-${hash}'`)].join(' '),
    "style-src 'self'",
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
    // The one policy, for the address of the service worker.
    'trusted-types settee',
  ].join('; ');
}

function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  );
}
