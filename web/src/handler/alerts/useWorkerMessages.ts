import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { browserDevice } from '../../push/device.ts';
import { endStranger } from '../../push/endStranger.ts';
import { isFromWorker, type Whereabouts } from '../../push/fromWorker.ts';
import { browserMemory } from '../../push/memory.ts';
import { closeNotices } from '../../push/shownNotices.ts';
import { forgetStaff, rememberStaff } from '../../push/staffHere.ts';
import { useSeenNotices } from '../../push/useSeenNotices.ts';
import { useSignedIn } from '../context.ts';

/** The service worker shows the notifications; what a click on one, or a reply in it, asks of the console is done here. */
export function useWorkerMessages(openId: string | undefined): void {
  const { session, staff, console: desk } = useSignedIn();
  const navigate = useNavigate();
  const { staffId } = staff;

  useEffect(() => {
    rememberStaff(staffId).catch(logged);
    endStranger(staffId, browserMemory, browserDevice).catch(logged);
    closeNotices((about) => about.staffId !== undefined && about.staffId !== staffId).catch(logged);
    const left = () => {
      forgetStaff(staffId).catch(logged);
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

  useSeenNotices('staff', openId);

  useEffect(() => {
    const heard = new AbortController();
    navigator.serviceWorker?.addEventListener(
      'message',
      ({ data, ports }: MessageEvent) => {
        if (!isFromWorker(data)) return;
        if (data.type === 'where') {
          const here: Whereabouts = { path: location.pathname, looksAt: document.hasFocus() };
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
