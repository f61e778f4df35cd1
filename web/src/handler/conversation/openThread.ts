import type { Message } from '@settee/protocol/model/message';
import { createEmitter } from '../../browser/createStore.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { LoadOlder } from '../../chat/model/loadOlder.ts';
import type { Log } from '../../chat/model/log.ts';
import { shareInFlight } from '../../chat/model/shareInFlight.ts';
import { coversUnread, unreadAtOpening } from '../../chat/model/unread.ts';
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

/** A page by number; null when it cannot be had. */
export type ReadPage = (page: { before: number } | { after: number }) => Promise<readonly Message[] | null>;

/** What the list is told to draw. */
export type ThreadView = {
  /** Set while the list is away from the conversation's end. */
  part: { log: Log; loadNewer: () => void; toNewest: () => void } | undefined;
  /** The place to open at is still on its way: nothing is drawn before. */
  opening: boolean;
  /** The message to go to; another object, another time. */
  at: { seq: number } | undefined;
};

export type Thread = {
  view(): ThreadView;
  subscribe(listener: () => void): () => void;
  loadOlder: LoadOlder;
  looked(seq: number): void;
  goTo(seq: number): Promise<void>;
  /** Own words lead back to the end, and so does an image when it is sent; not once more when it has arrived. */
  wrote(at: number): void;
  /** Follows the conversation for own words until it is called off. */
  follow(): () => void;
};

/** One reader's window over a conversation: it slides through the history by pages and comes back to the live end. */
export function openThread(conversation: LiveConversation, readPage: ReadPage, openAt?: number): Thread {
  const changes = createEmitter();
  let away: readonly Message[] | undefined;
  let view: ThreadView = { part: undefined, opening: true, at: undefined };
  /** The last message that was in sight. */
  let reader = 0;
  let journeys = 0;
  /** The reader chose to go to the end over all that lies above it. */
  let skipped = false;
  /** When this side last wrote something. */
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

  /** Goes where a message is, over any distance: two pages. */
  async function travel(seq: number, at: ThreadView['at']): Promise<void> {
    journeys += 1;
    const mine = journeys;
    if (isDrawn(window(), seq)) return show(window(), { opening: false, at });
    const pages = await Promise.all([readPage({ before: seq + 1 }), readPage({ after: seq })]);
    whenLoaded(conversation, () => {
      if (mine !== journeys) return;
      const next = wentTo(
        window(),
        seq,
        pages.flatMap((page) => page ?? []),
      );
      if (!isDrawn(next, seq)) {
        // There is no such message, or it cannot be had. Who opens by its address opens as ever.
        if (at && view.opening) open();
        else show(window(), { opening: false });
        return;
      }
      reader = seq;
      show(next, { opening: false, at });
    });
  }

  /** Opens at the first unread message, which may lie pages above what came first. */
  function open(): void {
    const state = conversation.state();
    const unread = unreadAtOpening(state);
    if (coversUnread(state, unread)) show(window(), { opening: false });
    // Under the list's own line 'New': not a message to be pointed at.
    else void travel(unread.after + 1, undefined);
  }

  /**
   * Whether unread messages lie above what is drawn: for somebody who jumped into the middle of them, or because the
   * pages could not be had. Nobody has seen those.
   */
  function isGapAbove(): boolean {
    const state = conversation.state();
    const seen = Math.max(state.view?.ownerSeen ?? 0, state.looked);
    const first = drawn(window())[0]?.seq ?? 0;
    if (first <= seen + 1) return false;
    // At the end, own words count as having read, and so does the wish to be there.
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
