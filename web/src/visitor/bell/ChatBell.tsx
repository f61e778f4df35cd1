import type { ConversationState } from '../../chat/conversationState.ts';
import { BellPlace } from './BellPlace.tsx';
import { isSafari } from './isSafari.ts';

type ChatBellProps = {
  /** The profile's, which stands over a notice. */
  name: string;
  state: ConversationState;
};

/** The bell of an open chat: for a visitor who is known, in a browser that lets a tab notify. */
export function ChatBell({ name, state }: ChatBellProps) {
  const visitorId = state.view?.visitorId;
  if (!visitorId || isSafari(navigator.userAgent)) return null;
  return <BellPlace visitorId={visitorId} chat={{ name, state }} />;
}
