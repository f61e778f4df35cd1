import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import type { CallerName } from './callers.ts';
import type { Stage } from './stage.ts';

/** Who is heard: of those whom the door lets in at all. */
export type FrameWho = 'everybody' | 'nobody' | 'bothSides' | 'ownDesk' | 'staff' | 'admin' | 'sender';

/** Whoever has a token that counts, and the second factor where one is needed. */
export const ADMITTED = ['visitor', 'otherVisitor', 'handler', 'otherHandler', 'admin'] as const;
export type Admitted = (typeof ADMITTED)[number];

export const HEARD: Record<FrameWho, readonly Admitted[]> = {
  everybody: ADMITTED,
  nobody: [],
  bothSides: ['visitor', 'handler', 'admin'],
  ownDesk: ['handler', 'admin'],
  staff: ['handler', 'otherHandler', 'admin'],
  admin: ['admin'],
  sender: ['visitor'],
};

export type FrameRule = {
  who: FrameWho;
  say: (stage: Stage, caller: CallerName) => Up;
  /** What whoever is heard is answered; undefined where only others notice, or nobody. */
  answer?: (frame: Down, stage: Stage) => boolean;
  /** What somebody else in the conversation then hears. */
  noticed?: (frame: Down, stage: Stage) => boolean;
  /** It says nothing to those who are not heard: there is nothing to refuse. */
  silent?: true;
  /** It can be done once: each who is heard gets a stage of its own. */
  spends?: true;
};

const about = ({ conversationId }: Stage) => conversationId;

/** One line per frame. A frame of the union that is not here fails the access matrix. */
export const frameRules: Partial<Record<Up['type'], FrameRule>> = {
  ping: { who: 'everybody', say: () => ({ type: 'ping' }), answer: ({ type }) => type === 'pong' },
  // One socket, one person.
  hello: {
    who: 'nobody',
    say: ({ people }) => ({ type: 'hello', version: 1, token: people.admin.browser.token }),
  },
  // Another's token; one's own is taken without a word.
  renew: {
    who: 'nobody',
    say: ({ people }, caller) => ({
      type: 'renew',
      token: people[caller === 'admin' ? 'handler' : 'admin'].browser.token,
    }),
  },
  watch: {
    who: 'bothSides',
    say: (stage) => ({ type: 'watch', conversationId: about(stage) }),
    answer: (frame, stage) => frame.type === 'watched' && frame.conversation.id === about(stage),
  },
  unwatch: {
    who: 'everybody',
    say: (stage) => ({ type: 'unwatch', conversationId: about(stage) }),
    silent: true,
  },
  range: {
    who: 'bothSides',
    say: (stage) => ({ type: 'range', conversationId: about(stage), after: 0 }),
    answer: (frame, stage) => frame.type === 'messages' && frame.conversationId === about(stage),
  },
  send: {
    who: 'bothSides',
    say: (stage) => ({ type: 'send', conversationId: about(stage), id: randomUUID(), text: 'by a frame' }),
    answer: ({ type }) => type === 'ack',
    noticed: (frame) => frame.type === 'message' && frame.message.text === 'by a frame',
  },
  sendMedia: {
    who: 'sender',
    say: (stage) => ({
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
    say: (stage) => ({ type: 'typing', conversationId: about(stage) }),
    noticed: ({ type }) => type === 'typing',
    silent: true,
  },
  seen: {
    who: 'bothSides',
    say: (stage) => ({ type: 'seen', conversationId: about(stage), seq: 1 }),
    noticed: ({ type }) => type === 'conversation',
    spends: true,
    silent: true,
  },
  attend: {
    who: 'ownDesk',
    say: (stage) => ({ type: 'attend', conversationId: about(stage), doing: 'viewing' }),
    noticed: ({ type }) => type === 'colleague',
    silent: true,
  },
  watchQueue: {
    who: 'staff',
    say: () => ({ type: 'watchQueue' }),
    answer: ({ type }) => type === 'queue',
  },
  watchManagement: { who: 'admin', say: () => ({ type: 'watchManagement' }) },
};
