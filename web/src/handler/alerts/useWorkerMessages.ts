import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isFromWorker, type Whereabouts } from '../../push/fromWorker.ts';
import { forgetStaff, rememberStaff } from '../../push/staffHere.ts';
import { useSignedIn } from '../context.ts';

/** The service worker shows the notifications; what a click on one, or a reply in it, asks of the console is done here. */
export function useWorkerMessages(): void {
  const { staff, console: desk } = useSignedIn();
  const navigate = useNavigate();
  const { staffId } = staff;

  useEffect(() => {
    rememberStaff(staffId).catch(logged);
    return () => void forgetStaff().catch(logged);
  }, [staffId]);

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
