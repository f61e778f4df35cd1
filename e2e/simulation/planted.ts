import type { Patch } from '../proof/patch.ts';
import type { Rule } from './rules.ts';

/** A fault in a copy of the product, and the rules of which one must break. */
export type Planted = { patches: Patch[]; breaks: readonly Rule[] };

function patch(file: string, find: string, put: string): Patch[] {
  return [{ file, find, put }];
}

export const planted = {
  'ack-without-commit': {
    patches: patch(
      'server/src/actions/message/sendMessage.ts',
      "throw new Refusal('unavailable');",
      "return { outcome: 'repeated', seq: 1, createdAt: 0 } as AppendResult;",
    ),
    breaks: ['acknowledged'],
  },
  'no-unique-key': {
    patches: patch(
      'e2e/simulation/model/message/appendMessages.ts',
      "if (findMessage(state, draft) !== undefined) throw uniqueViolation('the id is taken');",
      '',
    ),
    breaks: ['once', 'gaps'],
  },
  'no-gap-check': {
    patches: patch(
      'web/src/chat/model/log.ts',
      'if (message.seq === last + 1) {',
      'if (message.seq > last) {',
    ),
    breaks: ['gaps'],
  },
  'no-sweep': {
    patches: patch('server/src/live/sweep.ts', '    await this.#compare();\n', ''),
    breaks: ['screens', 'queue'],
  },
  'no-resend-order': {
    patches: patch(
      'server/src/live/frames.ts',
      'const isEarly = refused !== undefined && refused.ids[0] !== id;',
      'const isEarly = false as boolean;',
    ),
    breaks: ['order'],
  },
  'outbox-emptied-at-send': {
    patches: patch(
      'web/src/chat/model/liveConversation.ts',
      "dispatch({ type: 'stored', id: own.id });",
      "dispatch({ type: 'stored', id: own.id });\n    void outbox.remove(own.id);",
    ),
    breaks: ['texts'],
  },
  'only-the-batch-fails': {
    patches: patch(
      'server/src/db/message/appender.ts',
      'const failed = [...batch, ...this.#waiting.splice(0)];',
      'const failed = [...batch];',
    ),
    breaks: ['order'],
  },
  'seen-goes-back': {
    patches: patch(
      'e2e/simulation/model/conversation/conversations.ts',
      'if (found.visitorSeen >= upTo) return undefined;',
      'if (found.visitorSeen === upTo) return undefined;',
    ),
    breaks: ['seen'],
  },
  'sign-out-keeps-sockets': {
    patches: patch(
      'server/src/live/sweep.ts',
      "else if (session === undefined) connection.closeForGood('signed_out');",
      'else if (session === undefined) continue;',
    ),
    breaks: ['revoked'],
  },
  'new-text-before-old': {
    patches: patch(
      'web/src/chat/model/conversation.ts',
      'pending: [...restored, ...since]',
      'pending: [...since, ...restored]',
    ),
    breaks: ['order'],
  },
  'no-lease-renewal': {
    patches: patch('server/src/live/presence.ts', 'if (all.length > 0) await this.#hold(all);', ''),
    breaks: ['presence'],
  },
  'deadline-ends-before-welcome': {
    patches: patch(
      'web/src/net/live.ts',
      "    if (status === 'open') {\n      clock.clearTimeout",
      '    {\n      clock.clearTimeout',
    ),
    breaks: ['connected', 'queue'],
  },
  'returned-text-gets-new-id': {
    patches: patch(
      'web/src/handler/composer/useStaffWriting.ts',
      'conversation.send(part.text, part.id)',
      'conversation.send(part.text)',
    ),
    breaks: ['once'],
  },
  'early-reply-is-outdated': {
    patches: patch(
      'web/src/chat/model/conversation.ts',
      '({ ...state.guarded?.viewAt(log, p.at), ...p })',
      '({ ...(state.guarded && { after: 0 }), ...p })',
    ),
    breaks: ['texts'],
  },
  'lost-answers-are-not-asked-again': {
    patches: patch(
      'web/src/chat/model/conversation.ts',
      "(p.state === 'flying' ? { ...p, state: 'waiting' as const } : p)",
      'p',
    ),
    breaks: ['outbox', 'order'],
  },
  'unread-queue-keeps-its-socket': {
    patches: patch('server/src/live/frames.ts', "connection.closeForNow('try later');", ''),
    breaks: ['queue'],
  },
  'final-refusal-is-missed': {
    patches: patch(
      'web/src/chat/model/conversation.ts',
      "return mark(mark(state, id, 'flying', 'failed'), id, 'waiting', 'failed');",
      "return mark(state, id, 'flying', 'failed');",
    ),
    breaks: ['outbox'],
  },
  'slow-sweep': {
    patches: patch(
      'server/src/live/sweep.ts',
      'app.config.sweepSeconds * 1_000',
      'app.config.sweepSeconds * 10_000',
    ),
    breaks: ['revoked'],
  },
  'close-is-refused-during-upgrade': {
    patches: patch(
      'web/src/handler/conversation/setStatus.ts',
      "  return api('setStatus', { params, body: { status } });",
      '  return answer;',
    ),
    breaks: ['actions'],
  },
  'images-overtake-each-other': {
    patches: patch('web/src/chat/images/upload/uploads.ts', '    await inTurn(id);\n', ''),
    breaks: ['images'],
  },
  'new-upload-loses-its-mark': {
    patches: patch(
      'web/src/chat/images/upload/indexedDbUploads.ts',
      'if (kept.length + storing.size === 0)',
      'if (kept.length === 0)',
    ),
    breaks: ['images'],
  },
  'new-desk-is-not-notified': {
    patches: patch(
      'server/src/actions/conversation/handOver.ts',
      '    await notifyNewDesk(db, conversationId);\n',
      '',
    ),
    breaks: ['notifications'],
  },
  'seen-message-keeps-its-notification': {
    patches: patch('e2e/simulation/model/push/schedule.ts', ' && before.seq > seen;', ';'),
    breaks: ['notifications'],
  },
} as const satisfies Record<string, Planted>;
