import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import type { CallerName, Stage } from './stage.ts';

/** The answer to a caller: success, or a refusal with this status. */
export type Expected = 'ok' | number;

type Answers = Record<CallerName, Expected>;

/** Callers without a valid token, and a program, which no call admits unless it says so. */
const strangers = { anonymous: 401, signedOut: 401, revokedKey: 401, key: 403 };
const noVisitor = { visitor: 403, otherVisitor: 403 };
const noStaff = { handler: 403, otherHandler: 403, admin: 403, unverified: 403 };

/** The same answer for every kind of caller. */
const everyone = <T extends Expected>(answer: T) => ({
  anonymous: answer,
  signedOut: answer,
  visitor: answer,
  otherVisitor: answer,
  handler: answer,
  otherHandler: answer,
  admin: answer,
  unverified: answer,
  key: answer,
  revokedKey: answer,
});
const allStaff = { handler: 'ok', otherHandler: 'ok', admin: 'ok' } as const;

/**
 * The values of `who`. Another person's data is 404, as if it did not exist; a call for another kind of caller is 403.
 * Everyone needs a second factor here: callers without one can only use the calls of their own account.
 */
export const WHO = {
  everybody: everyone('ok'),
  /** A way to another page, the same for everyone. */
  redirected: everyone(302),
  /** Any visitor, for their own data. */
  visitors: { ...strangers, ...noStaff, visitor: 'ok', otherVisitor: 'ok' },
  /** The visitor of the conversation. */
  ownVisitor: { ...strangers, ...noStaff, visitor: 'ok', otherVisitor: 404 },
  /** Both sides of the conversation. */
  bothSides: {
    ...strangers,
    visitor: 'ok',
    otherVisitor: 404,
    handler: 'ok',
    otherHandler: 404,
    admin: 'ok',
    unverified: 403,
  },
  /** The conversation's desk, and administrators. */
  ownDesk: { ...strangers, ...noVisitor, handler: 'ok', otherHandler: 404, admin: 'ok', unverified: 403 },
  /** The visitor who began the upload; staff cannot continue it. */
  sender: {
    ...strangers,
    visitor: 'ok',
    otherVisitor: 404,
    handler: 404,
    otherHandler: 404,
    admin: 404,
    unverified: 403,
  },
  /** Anybody with a token, for their own data. */
  persons: { ...strangers, visitor: 'ok', otherVisitor: 'ok', ...allStaff, unverified: 403 },
  /** Any staff member, for their own data or for data that all staff share. */
  staff: { ...strangers, ...noVisitor, ...allStaff, unverified: 403 },
  /** Also staff who still have to set up a second factor. */
  account: { ...strangers, ...noVisitor, ...allStaff, unverified: 'ok' },
  admin: { ...strangers, ...noVisitor, handler: 403, otherHandler: 403, admin: 'ok', unverified: 403 },
  /** Administrators, and programs with the scope of the call. */
  adminOrKey: {
    ...strangers,
    ...noVisitor,
    handler: 403,
    otherHandler: 403,
    admin: 'ok',
    unverified: 403,
    key: 'ok',
  },
  /** Anybody with a valid staff cookie. */
  staffCookie: { ...strangers, key: 401, visitor: 401, otherVisitor: 401, ...allStaff, unverified: 'ok' },
  /** Closed for everybody. */
  shut: everyone(409),
  /** The signature in the address grants access; without one nobody has it. */
  signature: everyone(403),
} as const satisfies Record<string, Answers>;

export type Who = keyof typeof WHO;

/** Whose frame is accepted, among the admitted callers. */
export type FrameWho =
  | 'everybody'
  | 'nobody'
  | 'bothSides'
  | 'ownDesk'
  | 'anyDesk'
  | 'staff'
  | 'admin'
  | 'sender';

/** Callers with a valid token, and a second factor where needed. */
export const ADMITTED = ['visitor', 'otherVisitor', 'handler', 'otherHandler', 'admin'] as const;
export type Admitted = (typeof ADMITTED)[number];

export const ACCEPTED: Record<FrameWho, readonly Admitted[]> = {
  everybody: ADMITTED,
  nobody: [],
  bothSides: ['visitor', 'handler', 'admin'],
  ownDesk: ['handler', 'admin'],
  anyDesk: ['handler', 'otherHandler'],
  staff: ['handler', 'otherHandler', 'admin'],
  admin: ['admin'],
  sender: ['visitor'],
};

export type FrameRule = {
  who: FrameWho;
  /** The frame that the caller sends. */
  frame: (stage: Stage, caller: CallerName) => Up;
  /** Matches the answer to an accepted sender; undefined if there is none. */
  answer?: (frame: Down, stage: Stage) => boolean;
  /** Matches what another socket in the conversation then receives. */
  noticed?: (frame: Down, stage: Stage) => boolean;
  /** Other callers get no refusal. */
  silent?: true;
  /** Works only once: each accepted caller gets a new stage. */
  spends?: true;
};

const about = ({ conversationId }: Stage) => conversationId;

/** One entry per frame. A frame without an entry fails the access matrix. */
export const frameRules: Partial<Record<Up['type'], FrameRule>> = {
  ping: { who: 'everybody', frame: () => ({ type: 'ping' }), answer: ({ type }) => type === 'pong' },
  // A socket belongs to one person.
  hello: {
    who: 'nobody',
    frame: ({ people }) => ({ type: 'hello', version: 1, token: people.admin.browser.token }),
  },
  // Another person's token; one's own token gets no answer.
  renew: {
    who: 'nobody',
    frame: ({ people }, caller) => ({
      type: 'renew',
      token: people[caller === 'admin' ? 'handler' : 'admin'].browser.token,
    }),
  },
  watch: {
    who: 'bothSides',
    frame: (stage) => ({ type: 'watch', conversationId: about(stage) }),
    answer: (frame, stage) => frame.type === 'watched' && frame.conversation.id === about(stage),
  },
  unwatch: {
    who: 'everybody',
    frame: (stage) => ({ type: 'unwatch', conversationId: about(stage) }),
    silent: true,
  },
  range: {
    who: 'bothSides',
    frame: (stage) => ({ type: 'range', conversationId: about(stage), after: 0 }),
    answer: (frame, stage) => frame.type === 'messages' && frame.conversationId === about(stage),
  },
  send: {
    who: 'bothSides',
    frame: (stage) => ({ type: 'send', conversationId: about(stage), id: randomUUID(), text: 'by a frame' }),
    answer: ({ type }) => type === 'ack',
    noticed: (frame) => frame.type === 'message' && frame.message.text === 'by a frame',
  },
  sendMedia: {
    who: 'sender',
    frame: (stage) => ({
      type: 'sendMedia',
      conversationId: about(stage),
      id: randomUUID(),
      mediaId: stage.mediaId,
    }),
    answer: ({ type }) => type === 'ack',
    noticed: (frame) => frame.type === 'message' && frame.message.mediaUrl !== undefined,
    spends: true,
  },
  typing: {
    who: 'bothSides',
    frame: (stage) => ({ type: 'typing', conversationId: about(stage) }),
    noticed: ({ type }) => type === 'typing',
    silent: true,
  },
  seen: {
    who: 'bothSides',
    frame: (stage) => ({ type: 'seen', conversationId: about(stage), seq: 1 }),
    noticed: ({ type }) => type === 'conversation',
    spends: true,
    silent: true,
  },
  attend: {
    who: 'ownDesk',
    frame: (stage) => ({ type: 'attend', conversationId: about(stage), doing: 'viewing' }),
    noticed: ({ type }) => type === 'colleague',
    silent: true,
  },
  watchQueue: {
    who: 'staff',
    frame: () => ({ type: 'watchQueue' }),
    answer: ({ type }) => type === 'queue',
  },
  queuePage: {
    who: 'anyDesk',
    frame: () => ({ type: 'queuePage', show: 'all' }),
    answer: ({ type }) => type === 'queuePage',
  },
  watchManagement: { who: 'admin', frame: () => ({ type: 'watchManagement' }) },
};

/** A route besides the calls: who may read it, and an existing address, completed by the test. */
export type RouteRule = { who: Who; at: string };

const everybody = (at: string): RouteRule => ({ who: 'everybody', at });

/** One entry per pattern. A route without an entry fails the access matrix. */
export const routeRules: Record<string, RouteRule> = {
  // Pages: the same for everyone who has the address. Their scripts load personal data with calls.
  'GET /': everybody('/'),
  'GET /i/:token(^.+$)': everybody('/i/anything'),
  'GET /i/:token(^.+$)/': everybody('/i/anything/'),
  'GET /chat': everybody('/chat'),
  'GET /chat/': everybody('/chat/'),
  'GET /chat/:token(^[0-9a-f-]{36}$)': everybody(`/chat/${'0'.repeat(36)}`),
  'GET /handler': everybody('/handler'),
  'GET /handler/*': everybody('/handler/conversation/anything'),
  'GET /handler-test': everybody('/handler-test'),
  'GET /handler-test/': everybody('/handler-test/'),
  'GET /admin': everybody('/admin'),
  'GET /admin/*': everybody('/admin/dashboard'),
  'GET /i/:token(^.+$)/manifest.webmanifest': everybody('/i/anything/manifest.webmanifest'),
  'GET /chat/manifest.webmanifest': everybody('/chat/manifest.webmanifest'),
  'GET /chat/:token(^[0-9a-f-]{36}$)/manifest.webmanifest': everybody(
    `/chat/${'0'.repeat(36)}/manifest.webmanifest`,
  ),
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
