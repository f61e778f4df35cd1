import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { browserDevice } from '../../push/device.ts';
import { browserPushMemory } from '../../push/pushMemory.ts';
import { closeNotices } from '../../push/shownNotices.ts';
import { clearSignedInStaff, saveSignedInStaff } from '../../push/signedInStaff.ts';
import { unsubscribeOtherUser } from '../../push/unsubscribeOtherUser.ts';
import { useCloseSeenNotices } from '../../push/useCloseSeenNotices.ts';
import { isWorkerMessage, type WindowLocation } from '../../push/workerMessage.ts';
import { useSignedIn } from '../context.ts';

/** The service worker shows the notifications; what a click on one, or a reply in it, asks of the console is done here. */
export function useWorkerMessages(openId: string | undefined): void {
  const { session, staff, console: desk } = useSignedIn();
  const navigate = useNavigate();
  const { staffId } = staff;

  useEffect(() => {
    saveSignedInStaff(staffId).catch(logged);
    unsubscribeOtherUser(staffId, browserPushMemory, browserDevice).catch(logged);
    closeNotices((about) => about.staffId !== undefined && about.staffId !== staffId).catch(logged);
    const left = () => {
      clearSignedInStaff(staffId).catch(logged);
      // The names of visitors are not for whoever sits down here next.
      closeNotices(({ to }) => to === 'staff').catch(logged);
    };
    // At once; the server may take its time to hear of it.
    const stayed = session.onLeave(async () => left());
    return () => {
      stayed();
      // A page that broke has signed nobody out.
      if (session.get().phase === 'signedOut') left();
    };
  }, [session, staffId]);

  useCloseSeenNotices('staff', openId);

  useEffect(() => {
    const heard = new AbortController();
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
        ports[0]?.postMessage('heard');
      },
      { signal: heard.signal },
    );
    return () => heard.abort();
  }, [desk, navigate]);
}

/** Without storage there is no reply from a notification. */
function logged(error: unknown): void {
  console.error('notifications:', error);
}
