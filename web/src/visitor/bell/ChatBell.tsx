import type { ConversationState } from '../../chat/model/conversationState.ts';
import { isSafari } from '../../push/isSafari.ts';
import { BellPlace } from './BellPlace.tsx';
import type { VisitorBellProps } from './VisitorBell.tsx';

type ChatBellProps = Pick<VisitorBellProps, 'connection' | 'code' | 'onFreshCode'> & {
  /** The profile's, which stands over a notice. */
  name: string;
  state: ConversationState;
};

/** The bell of an open chat: for a visitor who is known. Safari has none, only what the menu opens. */
export function ChatBell({ name, state, ...rest }: ChatBellProps) {
  const visitorId = state.view?.visitorId;
  if (!visitorId) return null;
  return (
    <BellPlace {...rest} visitorId={visitorId} chat={{ name, state }} bare={isSafari(navigator.userAgent)} />
  );
}
