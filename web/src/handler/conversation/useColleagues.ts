import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { systemClock } from '../../net/clock.ts';
import { useSignedIn } from '../context.ts';
import { startColleagues } from './colleagues.ts';

/** Reports that this person is in the conversation while the page is visible, and lists colleagues. */
export function useColleagues(conversationId: string, watching: boolean) {
  const { console } = useSignedIn();
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const store = useMemo(
    () => startColleagues({ clock: systemClock, send: (doing) => console.attend(conversationId, doing) }),
    [console, conversationId],
  );

  useEffect(() => {
    const forget = console.onColleague((frame) => {
      if (frame.conversationId === conversationId) store.receive(frame);
    });
    return () => {
      forget();
      store.stop();
    };
  }, [console, conversationId, store]);

  useEffect(() => store.setPresent(watching && visible), [store, watching, visible]);

  return { colleagues: useSyncExternalStore(store.subscribe, store.get), replying: store.replying };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
