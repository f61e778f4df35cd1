import { PUSH_AFTER_MS, PUSH_APART_MS } from '@settee/protocol/model/push';
import { both, type ModelMessage, type State } from './model/state.ts';
import { scheduler, simulation } from './time.ts';

/** How often a worker looks for notifications that are due. */
const LOOK_EVERY_MS = 1_000;

/** Sends notifications that are due, and checks that exactly those are due that must be. */
export class Notifications {
  readonly #state: State;
  readonly #violated: (what: string) => void;

  constructor(state: State, violated: (what: string) => void) {
    this.#state = state;
    this.#violated = violated;
    scheduler.after(LOOK_EVERY_MS, () => this.#look(), simulation);
  }

  /** Called while a message is stored. */
  stored(conversationId: string, { id, seq, fromOwner, createdAt }: ModelMessage): void {
    const { pushDue, messages, conversations } = this.#state;
    const toOwner = !fromOwner;
    const key = both(conversationId, toOwner);
    const listens = this.#listens(conversationId, toOwner);
    const pushedAt = pushDue.get(key)?.pushedAt ?? null;
    // The rest of the statement runs before.
    queueMicrotask(() => {
      const all = messages.get(conversationId) ?? [];
      const row = conversations.get(conversationId);
      if (row === undefined || all[seq - 1]?.id !== id) return;
      const due = pushDue.get(key);
      const isDue = due !== undefined && due.dueAt !== null && due.seq >= seq;
      if (isDue !== listens)
        this.#violated(
          `message ${seq}: somebody ${listens ? 'listens, but none' : 'is notified, but nobody listens'}`,
        );
      if (!isDue || due.dueAt === null) return;
      const latest = Math.max(createdAt + PUSH_AFTER_MS, (pushedAt ?? 0) + PUSH_APART_MS);
      const seen = toOwner ? row.ownerSeen : row.visitorSeen;
      const isFirst = !all.some((each) => each.fromOwner === fromOwner && each.seq > seen && each.seq < seq);
      if (due.dueAt > latest) this.#violated(`the notification of message ${seq} is late`);
      if (isFirst && due.dueAt < createdAt + PUSH_AFTER_MS)
        this.#violated(`the notification of message ${seq} leaves its reader no time`);
    });
  }

  /** Called while a conversation moves to another desk: that one must learn of unseen messages. */
  moves(conversationId: string): void {
    const check = (): void => {
      const row = this.#state.conversations.get(conversationId);
      const unseen = this.#state.messages
        .get(conversationId)
        ?.findLast(({ fromOwner, seq }) => !fromOwner && seq > (row?.ownerSeen ?? 0));
      if (row?.status !== 'open' || unseen === undefined || !this.#listens(conversationId, true)) return;
      const due = this.#state.pushDue.get(both(conversationId, true));
      if (due?.dueAt == null || due.seq < unseen.seq)
        this.#violated(`the new desk does not learn of message ${unseen.seq}`);
    };
    scheduler.after(0, check, simulation);
  }

  #look(): void {
    const { pushDue, conversations } = this.#state;
    for (const { conversationId, toOwner, seq, dueAt, pushedAt } of pushDue.all()) {
      const row = conversations.get(conversationId);
      if (row === undefined || dueAt === null || dueAt > scheduler.now) continue;
      const isUnseen = toOwner ? row.status === 'open' && row.ownerSeen < seq : row.visitorSeen < seq;
      const isSent = isUnseen && this.#listens(conversationId, toOwner);
      const now = this.#state.now();
      pushDue.update(both(conversationId, toOwner), { dueAt: null, pushedAt: isSent ? now : pushedAt });
    }
    scheduler.after(LOOK_EVERY_MS, () => this.#look(), simulation);
  }

  /** Whether a device of this side has notifications switched on. */
  #listens(conversationId: string, toOwner: boolean): boolean {
    const { subscriptions, devices, conversations, deskStaff } = this.#state;
    const alias = conversations.get(conversationId)?.handlerAlias;
    return subscriptions.all().some((each) => {
      if (toOwner) return deskStaff.get(both(alias ?? '', each.staffId ?? '')) !== undefined;
      const device = each.visitorId === null ? undefined : devices.get(both(conversationId, each.visitorId));
      return device !== undefined && device.revokedAt === null;
    });
  }
}
