import type { Who } from './who.ts';

/** A route besides the calls: who may read it, and an existing address, completed by the test. */
export type RouteRule = { who: Who; at: string };

const everybody = (at: string): RouteRule => ({ who: 'everybody', at });

/** One entry per pattern. A route without an entry fails the access matrix. */
export const routeRules: Record<string, RouteRule> = {
  // Pages: the same for everyone. Their scripts load personal data with calls.
  'GET /': everybody('/'),
  'GET /i/:token(^.+$)': everybody('/i/anything'),
  'GET /i/:token(^.+$)/': everybody('/i/anything/'),
  'GET /chat': everybody('/chat'),
  'GET /chat/': everybody('/chat/'),
  'GET /handler': everybody('/handler'),
  'GET /handler/*': everybody('/handler/conversation/anything'),
  'GET /handler-test': everybody('/handler-test'),
  'GET /handler-test/': everybody('/handler-test/'),
  'GET /admin': everybody('/admin'),
  'GET /admin/*': everybody('/admin/dashboard'),
  'GET /i/:token(^.+$)/manifest.webmanifest': everybody('/i/anything/manifest.webmanifest'),
  'GET /chat/manifest.webmanifest': everybody('/chat/manifest.webmanifest'),
  'GET /handler/manifest.webmanifest': everybody('/handler/manifest.webmanifest'),

  // Files
  'GET /assets/*': everybody('/assets/{asset}'),
  'GET /favicon.svg': everybody('/favicon.svg'),
  'GET /favicon-unread.svg': everybody('/favicon-unread.svg'),
  'GET /robots.txt': everybody('/robots.txt'),
  'GET /apple-touch-icon.png': everybody('/apple-touch-icon.png'),
  'GET /icon-192.png': everybody('/icon-192.png'),
  'GET /icon-512.png': everybody('/icon-512.png'),
  'GET /icon-maskable-192.png': everybody('/icon-maskable-192.png'),
  'GET /icon-maskable-512.png': everybody('/icon-maskable-512.png'),
  'GET /icon-monochrome-96.png': everybody('/icon-monochrome-96.png'),
  'GET /sw.js': everybody('/sw.js'),

  // The public profile's image
  'GET /brand/avatar/:id(^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$)':
    everybody('{avatar}'),

  // Single sign-on: to the provider and back
  'GET /auth/staff/sso': { who: 'redirected', at: '/auth/staff/sso' },
  'GET /auth/staff/sso/callback': { who: 'redirected', at: '/auth/staff/sso/callback?code=x&state=x' },

  // The end of mails about a chat. The token decides.
  'GET /mail/off/:token(^[A-Za-z0-9_-]{1,64}$)': everybody('{unsubscribe}'),
  'POST /mail/off/:token(^[A-Za-z0-9_-]{1,64}$)': everybody('{unsubscribe}'),

  // Images in a folder, where there is no S3
  'GET /media/*': { who: 'signature', at: '/media/conversations/anything' },
  'PUT /media/*': { who: 'signature', at: '/media/uploads/anything' },
};
