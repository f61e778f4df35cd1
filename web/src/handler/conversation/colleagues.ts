import {
  ATTEND_EVERY_MS,
  type Doing,
  REPLYING_LASTS_MS,
  VIEWING_LASTS_MS,
} from '@settee/protocol/model/colleague';
import { createEmitter, createStore } from '../../browser/createStore.ts';
import { TYPING_INTERVAL_MS } from '../../chat/model/liveConversation.ts';
import type { Clock } from '../../net/clock.ts';

/** Colleagues who join within this time are answered together. */
const ANSWER_AFTER_MS = 200;

export type Colleague = { staffId: string; name: string; doing: 'viewing' | 'replying' };

type Report = { staffId: string; name: string; doing: Doing };

type Known = { staffId: string; name: string; viewingUntil: number; replyingUntil: number };

/** Staff in one conversation. There is no stored list: each client reports regularly, and reports expire. */
export function startColleagues({ clock, send }: { clock: Clock; send: (doing: Doing) => void }) {
  const known = new Map<string, Known>();
  /** Colleagues in the chat, those who reply first. The same array until something changes. */
  const shown = createStore<readonly Colleague[]>([]);
  let present = false;
  let replyingSaidAt = Number.NEGATIVE_INFINITY;
  let beat: unknown;
  let answer: unknown;
  let lapse: unknown;

  function attend(doing: 'viewing' | 'replying'): void {
    clock.clearTimeout(beat);
    clock.clearTimeout(answer);
    answer = undefined;
    if (doing === 'replying') replyingSaidAt = clock.now();
    send(doing);
    beat = clock.setTimeout(attendAgain, ATTEND_EVERY_MS);
  }

  /** Does not replace 'replying' while it is still valid. */
  function attendAgain(): void {
    const stillReplying = clock.now() - replyingSaidAt < TYPING_INTERVAL_MS;
    attend(stillReplying ? 'replying' : 'viewing');
  }

  /** Whether this person is looking at the chat. */
  function setPresent(next: boolean): void {
    if (next === present) return;
    present = next;
    if (present) {
      attend('viewing');
      return;
    }
    for (const timer of [beat, answer]) clock.clearTimeout(timer);
    answer = undefined;
    send('left');
  }

  /** Removes expired entries, updates the list and schedules the next expiry. */
  function refresh(): void {
    clock.clearTimeout(lapse);
    const now = clock.now();
    for (const one of known.values()) if (one.viewingUntil <= now) known.delete(one.staffId);
    const next = [...known.values()]
      .map(({ staffId, name, replyingUntil }): Colleague => {
        return { staffId, name, doing: replyingUntil > now ? 'replying' : 'viewing' };
      })
      .sort((a, b) => a.doing.localeCompare(b.doing) || a.name.localeCompare(b.name));
    const ends = [...known.values()].flatMap((one) => [one.viewingUntil, one.replyingUntil]);
    const soonest = Math.min(...ends.filter((end) => end > now));
    if (soonest !== Number.POSITIVE_INFINITY) lapse = clock.setTimeout(refresh, soonest - now);
    if (JSON.stringify(next) !== JSON.stringify(shown.get())) shown.set(next);
  }

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    receive({ staffId, name, doing }: Report): void {
      const now = clock.now();
      const isNew = !known.has(staffId);
      if (doing === 'left') known.delete(staffId);
      else {
        const replyingUntil = doing === 'replying' ? now + REPLYING_LASTS_MS : 0;
        known.set(staffId, { staffId, name, viewingUntil: now + VIEWING_LASTS_MS, replyingUntil });
        // Answers a newcomer without waiting for the next report.
        if (isNew && present) answer ??= clock.setTimeout(attendAgain, ANSWER_AFTER_MS);
      }
      refresh();
    },
    setPresent,
    replying(): void {
      if (present && clock.now() - replyingSaidAt >= TYPING_INTERVAL_MS) attend('replying');
    },
    stop(): void {
      setPresent(false);
      clock.clearTimeout(lapse);
    },
  };
}

const nobody: readonly Colleague[] = [];

/** Colleagues in all chats of the desk, for the rows of the queue. */
export function colleaguesByChat(clock: Clock) {
  const chats = new Map<string, ReturnType<typeof startColleagues>>();
  const changes = createEmitter();

  /** It only listens: the open chat reports where this person is. */
  function listen(conversationId: string) {
    const chat = startColleagues({ clock, send: () => {} });
    chat.subscribe(() => {
      if (chat.get().length === 0) chats.delete(conversationId);
      changes.emit();
    });
    chats.set(conversationId, chat);
    return chat;
  }

  return {
    /** The same array until something changes. */
    of: (conversationId: string) => chats.get(conversationId)?.get() ?? nobody,
    subscribe: changes.subscribe,
    receive({ conversationId, ...report }: Report & { conversationId: string }): void {
      const chat =
        chats.get(conversationId) ?? (report.doing === 'left' ? undefined : listen(conversationId));
      chat?.receive(report);
    },
    stop(): void {
      for (const chat of chats.values()) chat.stop();
    },
  };
}
