import type { StaffClaims } from '@settee/protocol/model/staff';
import { createContext, useCallback, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Images } from '../chat/images/images.ts';
import type { Upload } from '../chat/images/upload/upload.ts';
import { hasStopped } from '../chat/model/conversationState.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { draftText } from '../chat/outbox/draft.ts';
import type { UnsentStore } from '../chat/outbox/unsentStore.ts';
import { useLine } from '../chat/useLine.ts';
import type { Push } from '../push/push.ts';
import type { SessionStore } from '../staff/session.ts';
import { useCurrentMinute } from '../staff/useCurrentMinute.ts';
import type { Console, ConsoleState } from './console.ts';
import type { Colleague } from './conversation/colleagues.ts';
import { addCounts } from './queue/deskQueues.ts';
import { profileAt } from './queue/profileAt.ts';
import { type Counts, countsOf, type SettingsAt } from './queue/queueFilter.ts';
import type { KnownQueue } from './queue/queuePages.ts';
import type { Screen } from './screen.ts';

type SignedIn = {
  session: SessionStore;
  staff: StaffClaims;
  console: Console;
  unsent: UnsentStore;
  push: Push;
  screen: Screen;
};

export const SignedInContext = createContext<SignedIn | null>(null);

export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('The console is used outside of a session');
  return signedIn;
}

export function useConsole(): ConsoleState {
  const { console } = useSignedIn();
  return useSyncExternalStore(console.subscribe, console.get);
}

/** The times that count as waiting, which each profile has. */
export function useSettingsAt(): SettingsAt {
  const { profiles, settings } = useConsole();
  return useCallback((alias) => profileAt(profiles, alias) ?? settings, [profiles, settings]);
}

/** Counts the queues of these desks. */
export function useCounting(): (of: Iterable<KnownQueue>) => Counts {
  const settingsAt = useSettingsAt();
  const now = useCurrentMinute();
  return useCallback(
    // The rows of one queue are of one desk.
    (of) => addCounts([...of].map((each) => countsOf(each, now, settingsAt(each.queue?.[0]?.alias)))),
    [now, settingsAt],
  );
}

/** Figures about the queues of these desks; without an argument, of all. */
export function useQueueCounts(of?: readonly KnownQueue[]): Counts {
  const { queues } = useConsole();
  const count = useCounting();
  return useMemo(() => count(of ?? queues.values()), [count, of, queues]);
}

/** False while disconnected: presence is then unknown. */
export function useConnected(): boolean {
  const { console } = useSignedIn();
  const line = useLine(console.line);
  return line === 'fine' || line === 'back';
}

/** Undefined without a connection: nobody knows then. */
export function useVisitorsHere(): ReadonlySet<string> | undefined {
  const { visitorsHere } = useConsole();
  return useConnected() ? visitorsHere : undefined;
}

/** A reply in a conversation that was not sent: a draft, or otherwise one that was refused or returned. */
export function useUnsentText(conversationId: string): { text: string; isDraft: boolean } {
  const { unsent } = useSignedIn();
  const draft = useSyncExternalStore(unsent.subscribe, () => draftText(unsent, conversationId));
  const notSent = useSyncExternalStore(unsent.subscribe, () => notSentText(unsent, conversationId));
  return { text: draft || notSent, isDraft: draft !== '' };
}

function notSentText(unsent: UnsentStore, conversationId: string): string {
  const notSent = unsent
    .all()
    .findLast((record) => record.conversationId === conversationId && hasStopped(record.state));
  return notSent?.text ?? '';
}

export function useColleaguesIn(conversationId: string): readonly Colleague[] {
  const { colleagues } = useSignedIn().console;
  return useSyncExternalStore(colleagues.subscribe, () => colleagues.of(conversationId));
}

export function useShownOrder(): readonly string[] {
  const { order } = useSignedIn().screen;
  return useSyncExternalStore(order.subscribe, order.get);
}

/** Publishes the order of the list on screen, while that list is mounted. */
export function usePublishedOrder(ids: readonly string[]): void {
  const { order } = useSignedIn().screen;
  useEffect(() => order.set(ids), [order, ids]);
  useEffect(() => order.clear, [order]);
}

export function usePageName(name: string): void {
  const { pageName } = useSignedIn().screen;
  useEffect(() => {
    pageName.set(name);
    return () => pageName.set('');
  }, [pageName, name]);
}

export function useChatImages(conversation: LiveConversation): {
  images: Images | undefined;
  uploads: readonly Upload[];
  onImages: () => void;
} {
  const { images } = useSignedIn().console;
  const onImages = useCallback(() => {
    images.of(conversation).catch((error: unknown) => console.error('images:', error));
  }, [images, conversation]);
  return {
    images: useSyncExternalStore(images.subscribe, () => images.now(conversation)),
    uploads: useSyncExternalStore(images.subscribe, () => images.uploads(conversation)),
    onImages,
  };
}
