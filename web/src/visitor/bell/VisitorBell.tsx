import { pushCalls } from '@settee/protocol/calls/pushCalls';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useMemo } from 'react';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { createApi } from '../../net/api.ts';
import { systemClock } from '../../net/clock.ts';
import { Bell, type PanelTexts } from '../../push/Bell.tsx';
import { browserDevice, browserPushMemory } from '../../push/device.ts';
import { useCloseSeenNotices } from '../../push/shownNotices.ts';
import { startPush } from '../../push/startPush.ts';
import { pushFor } from '../../push/subscription.ts';
import { forgetChat, rememberChat, saveWorkerTexts } from '../../push/workerStorage.ts';
import type { Connection } from '../connection.ts';
import { HomeScreenHint, type RenewCode } from './HomeScreenHint.tsx';
import { onPanelRequested } from './panelRequests.ts';
import { type Chat, useBackgroundNotices, useTabBadge } from './useReplyAlerts.ts';

const panelTexts: PanelTexts = {
  push: { offer: pushTexts.offer, on: pushTexts.on },
  notices: { offer: texts.noticesOffer, on: texts.noticesOn },
};

export type VisitorBellProps = {
  connection: Connection;
  visitorId?: string | undefined;
  /** The visitor's sign-in is pending. */
  loading?: boolean;
  /** The conversation to notify about. */
  chat?: Chat;
  /** The continue code that works, on the first device. */
  code?: string | null | undefined;
  /** Undefined if this device may not add another. */
  onRenewCode?: RenewCode | undefined;
  /** Renders no bell, only the panel and the hint. */
  bare?: boolean;
};

export function VisitorBell(props: VisitorBellProps) {
  const { connection, visitorId, loading = false, chat, bare = false } = props;
  const push = useMemo(
    () =>
      visitorId === undefined
        ? undefined
        : pushFor({
            person: { side: 'visitor', id: visitorId },
            device: browserDevice,
            memory: browserPushMemory,
            api: createApi(pushCalls, { tokens: connection.tokens }),
            clock: systemClock,
          }),
    [connection, visitorId],
  );
  useEffect(() => push && startPush(push), [push]);
  useBackgroundNotices(chat);
  useTabBadge(chat);
  useChatAddress(chat?.state);
  useCloseSeenNotices('visitor', chat?.state.id);

  const hint = chat && browserDevice.iosTab();
  return (
    <>
      <Bell
        push={push}
        panelTexts={panelTexts}
        loading={loading}
        bare={bare}
        {...(chat && !hint && { openedBy: onPanelRequested })}
      />
      {hint && <HomeScreenHint state={chat.state} code={props.code} onRenewCode={props.onRenewCode} />}
    </>
  );
}

/** Stores the address of this chat for the service worker while this device has access. */
function useChatAddress(state: Pick<ConversationState, 'id' | 'gone'> | undefined): void {
  const id = state?.id;
  const gone = state?.gone;
  useEffect(() => {
    if (id === undefined) return;
    const noted = gone ? [forgetChat(id)] : [rememberChat(id, location.pathname), saveWorkerTexts('visitor')];
    Promise.all(noted).catch((error: unknown) => console.error('notifications:', error));
  }, [id, gone]);
}
