import { createEmitter } from '../../browser/createStore.ts';
import type { Clock } from '../../net/clock.ts';
import { type Colleague, startColleagues } from './colleagues.ts';

type Report = Parameters<ReturnType<typeof startColleagues>['receive']>[0] & { conversationId: string };

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
    receive({ conversationId, ...report }: Report): void {
      const chat =
        chats.get(conversationId) ?? (report.doing === 'left' ? undefined : listen(conversationId));
      chat?.receive(report);
    },
    stop(): void {
      for (const chat of chats.values()) chat.stop();
    },
  };
}
