import type { Patch } from '../proof/patch.ts';
import type { Rule } from './rules.ts';

/** A fault in a copy of the product or of the model, and the rules of which one must break. */
export type Planted = Patch & { breaks: readonly Rule[] };

/** Seeds that found a fault after a long search. Every fault tries them first, before a new search from 1. */
export const findingSeeds: readonly number[] = [
  52, 67, 75, 88, 99, 108, 262, 288, 1_166, 1_221, 1_228, 1_246, 2_150,
];

export const planted: Record<string, Planted> = {
  'ack-without-commit': {
    file: 'server/src/messages/sendMessage.ts',
    find: "throw new Refusal('unavailable');",
    within: 'append',
    put: "return { outcome: 'repeated', seq: 1, createdAt: 0 };",
    breaks: ['acknowledged'],
  },
  'no-unique-key': {
    file: 'e2e/simulation/model/messages.ts',
    find: 'if ($MESSAGE !== undefined) throw uniqueViolation($$$);',
    within: 'store',
    put: '',
    breaks: ['once', 'gaps'],
  },
  'no-gap-check': {
    file: 'web/src/chat/model/log.ts',
    find: '$NEW.seq === $LAST + 1',
    put: '$NEW.seq > $LAST',
    breaks: ['gaps'],
  },
  'no-sweep': {
    file: 'server/src/live/sweep.ts',
    find: 'await this.#compare();',
    within: '#sweep',
    put: '',
    breaks: ['screens', 'queue'],
  },
  'no-resend-order': {
    file: 'server/src/live/frames.ts',
    find: '$REFUSED !== undefined && $REFUSED.ids[0] !== $ID',
    put: 'false',
    breaks: ['order'],
  },
  'outbox-emptied-at-send': {
    file: 'web/src/chat/model/liveConversation.ts',
    find: "dispatch({ type: 'stored', id: $OWN.id });",
    put: '$FOUND; void outbox.remove($OWN.id);',
    breaks: ['texts'],
  },
  'only-the-batch-fails': {
    file: 'server/src/messages/appender.store.ts',
    find: '[...$BATCH, ...this.#waiting.splice(0)]',
    put: '[...$BATCH]',
    breaks: ['order'],
  },
  'seen-goes-back': {
    file: 'e2e/simulation/model/conversations.ts',
    find: '$ROW.visitorSeen >= $SEQ',
    put: '$ROW.visitorSeen === $SEQ',
    breaks: ['seen'],
  },
  'sign-out-keeps-sockets': {
    file: 'server/src/live/sweep.ts',
    find: "$CONNECTION.closeForGood('signed_out');",
    put: '{}',
    breaks: ['revoked'],
  },
  'new-text-before-old': {
    file: 'web/src/chat/model/conversation.ts',
    find: '[...$RESTORED, ...$SINCE]',
    within: 'onRestored',
    put: '[...$SINCE, ...$RESTORED]',
    breaks: ['order'],
  },
  'no-lease-renewal': {
    file: 'server/src/live/presence.ts',
    find: 'if ($ANY) await this.#hold($ALL);',
    within: '#renewAll',
    put: '',
    breaks: ['presence'],
  },
  'deadline-ends-before-welcome': {
    file: 'web/src/net/live.ts',
    find: "if (status === 'open') { $$$BODY }",
    within: 'onMessage',
    put: '{ $$$BODY }',
    breaks: ['connected', 'queue'],
  },
  'sent-text-gets-new-id': {
    file: 'web/src/handler/composer/useStaffWriting.ts',
    find: '$CONVERSATION.send($TAKEN.text, $TAKEN.id, $VIEW)',
    put: '$CONVERSATION.send($TAKEN.text, undefined, $VIEW)',
    breaks: ['once', 'texts'],
  },
  'early-reply-is-outdated': {
    file: 'web/src/chat/model/conversation.ts',
    find: '$STATE.guarded?.viewAt($LOG, $AT)',
    within: 'onWatched',
    put: '($STATE.guarded && { after: 0 })',
    breaks: ['texts'],
  },
  'lost-answers-are-not-asked-again': {
    file: 'web/src/chat/model/conversation.ts',
    find: "$PENDING.state === 'flying' ? $WAITING : $PENDING",
    within: 'onNewLine',
    put: '$PENDING',
    breaks: ['outbox', 'order'],
  },
  'unread-queue-keeps-its-socket': {
    file: 'server/src/live/frames.ts',
    find: "$CONNECTION.closeForNow('try later');",
    put: '',
    breaks: ['queue'],
  },
  'final-refusal-is-missed': {
    file: 'web/src/chat/model/conversation.ts',
    find: "mark($FLYING, $ID, 'waiting', 'refused')",
    within: 'onRefused',
    put: '$FLYING',
    breaks: ['outbox'],
  },
  'slow-sweep': {
    file: 'server/src/live/sweep.ts',
    find: '$CONFIG.sweepSeconds * 1_000',
    put: '$CONFIG.sweepSeconds * 10_000',
    breaks: ['revoked'],
  },
  'close-is-refused-during-upgrade': {
    file: 'web/src/handler/conversation/setStatus.ts',
    find: "return api('setStatus', $ASKED_AGAIN);",
    put: "return { ok: false, code: 'bad_request' };",
    breaks: ['actions'],
  },
  'images-overtake-each-other': {
    file: 'web/src/chat/images/upload/upload.ts',
    find: '$LIST.slice(0, $BLOCKING)',
    within: 'sendable',
    put: '$LIST',
    breaks: ['images'],
  },
  'new-upload-loses-its-mark': {
    file: 'web/src/chat/images/upload/indexedDbUploads.ts',
    find: '$KEPT.length + $STORING.size === 0',
    put: '$KEPT.length === 0',
    breaks: ['images'],
  },
  'new-desk-is-not-notified': {
    file: 'server/src/conversations/handOver.ts',
    find: 'await notifyNewDesk($$$);',
    put: '',
    breaks: ['notifications'],
  },
  'seen-message-keeps-its-notification': {
    file: 'e2e/simulation/model/push.ts',
    find: '$PENDING && $DUE.seq > $SEEN',
    within: 'scheduleNotification',
    put: '$PENDING',
    breaks: ['notifications'],
  },
};
