import type { Message } from '@settee/protocol/model/message';
import { createEmitter } from '../../browser/createStore.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { LoadOlder } from '../../chat/model/loadOlder.ts';
import type { Log } from '../../chat/model/log.ts';
import { coversUnread, unreadAtOpening } from '../../chat/model/unread.ts';
import { shareInFlight } from '../../net/shareInFlight.ts';
import {
  drawn,
  isDrawn,
  meetsLog,
  type ThreadWindow,
  toNewest,
  trimmed,
  wentTo,
  withNewer,
  withOlder,
} from './threadWindow.ts';
import { whenLoaded } from './whenLoaded.ts';

/** A page of messages, or null on failure. */
export type ReadPage = (page: { before: number } | { after: number }) => Promise<readonly Message[] | null>;

/** What the list shows. */
export type ThreadView = {
  /** Set while the list is away from the end. */
  part: { log: Log; loadNewer: () => void; toNewest: () => void } | undefined;
  /** True while the first position is loading. */
  opening: boolean;
  /** The message to go to. A new object repeats the jump. */
  at: { seq: number } | undefined;
};

export type Thread = {
  view(): ThreadView;
  subscribe(listener: () => void): () => void;
  loadOlder: LoadOlder;
  looked(seq: number): void;
  goTo(seq: number): Promise<void>;
  /** An own message or a sent image scrolls to the end. It does so once. */
  wrote(at: number): void;
  /** Follows own messages until the returned function is called. */
  follow(): () => void;
};

/** A window over a conversation. It moves through the history in pages and returns to the live end. */
export function openThread(conversation: LiveConversation, readPage: ReadPage, openAt?: number): Thread {
  const changes = createEmitter();
  let away: readonly Message[] | undefined;
  let view: ThreadView = { part: undefined, opening: true, at: undefined };
  /** The last visible message. */
  let reader = 0;
  let journeys = 0;
  /** The reader jumped to the end and skipped messages. */
  let skipped = false;
  /** Time of the last own message. */
  let wroteAt = 0;

  const window = (): ThreadWindow => ({ log: conversation.state().log.messages, away });

  function show(next: ThreadWindow, change: Partial<ThreadView> = {}): void {
    const { log } = window();
    if (next.log !== log) {
      const first = log[0]?.seq ?? 0;
      conversation.addOlder(next.log.filter(({ seq }) => seq < first));
      conversation.keepNewest(next.log.length);
    }
    const part = next.away && { log: { messages: next.away, aside: [] }, loadNewer, toNewest: backToNewest };
    view = { ...view, part: next.away === away ? view.part : part, ...change };
    away = next.away;
    changes.emit();
  }

  const loadOlder = shareInFlight(async () => {
    const first = drawn(window())[0]?.seq ?? 0;
    if (view.opening || first <= 1) return false;
    const page = await readPage({ before: first });
    if (!page) return false;
    show(withOlder(window(), page, reader));
    return page.length > 0;
  });

  const readOn = shareInFlight(async () => {
    const page = meetsLog(window()) ? [] : await readPage({ after: away?.at(-1)?.seq ?? 0 });
    if (!page) return false;
    show(withNewer(window(), page, reader));
    return page.length > 0;
  });

  function loadNewer(): void {
    if (away) void readOn();
  }

  function backToNewest(): void {
    journeys += 1;
    skipped = true;
    show(toNewest(window()), { opening: false });
  }

  /** Goes to a message at any distance, with two calls. */
  async function travel(seq: number, at: ThreadView['at']): Promise<void> {
    journeys += 1;
    const own = journeys;
    if (isDrawn(window(), seq)) return show(window(), { opening: false, at });
    const pages = await Promise.all([readPage({ before: seq + 1 }), readPage({ after: seq })]);
    whenLoaded(conversation, () => {
      if (own !== journeys) return;
      const next = wentTo(
        window(),
        seq,
        pages.flatMap((page) => page ?? []),
      );
      if (!isDrawn(next, seq)) {
        // The message does not exist or could not be read. An address with it opens as usual.
        if (at && view.opening) open();
        else show(window(), { opening: false });
        return;
      }
      reader = seq;
      show(next, { opening: false, at });
    });
  }

  /** Opens at the first unread message, which may be pages above. */
  function open(): void {
    const state = conversation.state();
    const unread = unreadAtOpening(state);
    if (coversUnread(state, unread)) show(window(), { opening: false });
    // Below the 'New' line; no message is highlighted.
    else void travel(unread.after + 1, undefined);
  }

  /** Whether unread messages are above the window. Those were not seen. */
  function isGapAbove(): boolean {
    const state = conversation.state();
    const seen = Math.max(state.view?.ownerSeen ?? 0, state.looked);
    const first = drawn(window())[0]?.seq ?? 0;
    if (first <= seen + 1) return false;
    // At the end, an own message or a jump to the end counts as having read.
    return away !== undefined || !(skipped || unreadAtOpening(state).after >= first);
  }

  function looked(seq: number): void {
    reader = seq;
    if (!isGapAbove()) conversation.looked(seq);
    const next = trimmed(window(), reader);
    if (drawn(next) !== drawn(window())) show(next);
  }

  function wrote(at: number): void {
    if (at <= wroteAt) return;
    wroteAt = at;
    if (away) backToNewest();
  }

  if (openAt === undefined) whenLoaded(conversation, () => journeys === 0 && open());
  else void travel(openAt, { seq: openAt });

  return {
    view: () => view,
    subscribe: changes.subscribe,
    loadOlder,
    looked,
    goTo: (seq) => travel(seq, { seq }),
    wrote,
    follow() {
      const newest = () => Math.max(0, ...conversation.state().pending.map(({ at }) => at));
      wroteAt = Math.max(wroteAt, newest());
      return conversation.subscribe(() => wrote(newest()));
    },
  };
}
