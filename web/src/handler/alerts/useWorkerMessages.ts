import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { browserDevice, browserPushMemory, unsubscribeOtherUser } from '../../push/device.ts';
import { closeNotices, useCloseSeenNotices } from '../../push/shownNotices.ts';
import { isWorkerMessage, type WindowLocation } from '../../push/workerMessage.ts';
import { clearSignedInStaff, saveSignedInStaff, saveWorkerTexts } from '../../push/workerStorage.ts';
import { useSignedIn } from '../context.ts';

/** Handles clicks and replies on notifications, which the service worker shows. */
export function useWorkerMessages(openId: string | undefined): void {
  const { session, staff, console: desk } = useSignedIn();
  const navigate = useNavigate();
  const { staffId } = staff;

  useEffect(() => {
    saveSignedInStaff(staffId).catch(logged);
    saveWorkerTexts('staff').catch(logged);
    unsubscribeOtherUser(staffId, browserPushMemory, browserDevice).catch(logged);
    closeNotices((about) => about.staffId !== undefined && about.staffId !== staffId).catch(logged);
    const clear = () => {
      clearSignedInStaff(staffId).catch(logged);
      // The next person must not see visitors' names.
      closeNotices(({ to }) => to === 'staff').catch(logged);
    };
    // At once, without waiting for the server.
    const unsubscribe = session.onLeave(async () => clear());
    return () => {
      unsubscribe();
      // A page that failed has not signed out.
      if (session.get().phase === 'signedOut') clear();
    };
  }, [session, staffId]);

  useCloseSeenNotices('staff', openId);

  useEffect(() => {
    const listening = new AbortController();
    navigator.serviceWorker?.addEventListener(
      'message',
      ({ data, ports }: MessageEvent) => {
        if (!isWorkerMessage(data)) return;
        if (data.type === 'where') {
          const here: WindowLocation = { path: location.pathname, looksAt: document.hasFocus() };
          return ports[0]?.postMessage(here);
        }
        if (data.type === 'openChat') void navigate(`/conversation/${data.conversationId}`);
        else void desk.openConversation(data.conversationId).restore();
        ports[0]?.postMessage('received');
      },
      { signal: listening.signal },
    );
    return () => listening.abort();
  }, [desk, navigate]);
}

/** Replies from notifications need storage. */
function logged(error: unknown): void {
  console.error('notifications:', error);
}
