import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import type { CallerName } from './callers.ts';
import type { Stage } from './stage.ts';

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
