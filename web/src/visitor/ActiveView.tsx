import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect, useState } from 'react';
import { reloadPage } from '../browser/reloadPage.ts';
import { useKeyboard } from '../browser/useKeyboard.ts';
import { LineNotice } from '../chat/LineNotice.tsx';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { useLiveConversation } from '../chat/model/useLiveConversation.ts';
import { useLine } from '../chat/useLine.ts';
import type { Live } from '../net/live.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './ActiveView.module.css';
import { ChatBell } from './bell/BellPlace.tsx';
import type { RenewCode } from './bell/HomeScreenHint.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import type { Connection } from './connection.ts';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import { loadForms } from './loadForms.ts';
import { loadRoom } from './loadRoom.ts';
import { MoreButton } from './more/MoreButton.tsx';
import type { MoreActions } from './more/MoreMenu.tsx';
import { opensChat, type Page } from './page.ts';
import type { Profile, ProfileEvent } from './profile.ts';

const notLoaded = () => (
  <Notice tone="danger">
    {texts.networkError}{' '}
    <Button look="bare" danger onClick={reloadPage}>
      {texts.tryAgain}
    </Button>
  </Notice>
);
const ChatRoom = lazyWithFallback(() => loadRoom().then((part) => part.ChatRoom), notLoaded);
const CodeBanner = lazyWithFallback(() => loadForms().then((forms) => forms.CodeBanner));
const NameGate = lazyWithFallback(() => loadForms().then((forms) => forms.NameGate), notLoaded);
const loadRights = () => import('./more/RightsDialog.tsx').then((part) => part.RightsDialog);
const RightsDialog = lazyWithFallback(loadRights);
const loadMail = () => import('./more/MailDialog.tsx').then((part) => part.MailDialog);
const MailDialog = lazyWithFallback(loadMail);
const Joined = lazyWithFallback(() => loadForms().then((forms) => forms.DeviceJoinedNotice));
const ChangeName = lazyWithFallback(() => loadForms().then((forms) => forms.ChangeName));

type ActiveViewProps = {
  page: Extract<Page, { view: 'active' }>;
  profile: Profile;
  connection: Connection;
  /** The chat's socket also delivers changes of the profile. */
  onProfile: (event: ProfileEvent) => void;
  /** The server revoked this device's access. */
  onGone: (erased: boolean) => void;
  onName: (name: string) => void;
  onErased: (texts: { title: string; reason: string }) => void;
  onShowCode: (code: string) => void;
  onRenewCode: RenewCode;
  /** The valid continue code, or null. Only the first device receives it. */
  onCode: (code: string | null) => void;
  onDismissBanner: () => void;
};

export function ActiveView(props: ActiveViewProps) {
  const { page, profile, connection, onProfile } = props;
  const [room, setRoom] = useState<Room | null>(null);
  const keyboardOpen = useKeyboard();
  const { conversationId, named } = page;
  // A visitor who just gave a name wants to write. A returning visitor may want to read.
  const [cameUnnamed] = useState(!named);

  const opens = opensChat(page);

  useEffect(() => {
    if (!conversationId || !opens) return;
    const opened = connection.open(conversationId);
    onProfile({ type: 'chatOpened', returning: !cameUnnamed });
    opened.live.onFrame(onProfile);
    setRoom(opened);
    return () => {
      opened.conversation.stop();
      opened.live.stop();
    };
  }, [connection, conversationId, opens, cameUnnamed, onProfile]);

  if (named && room)
    return <Chat {...props} room={room} focusAtOnce={cameUnnamed} keyboardOpen={keyboardOpen} />;
  return (
    <div className={styles.app} data-lamp={profile.presence !== 'away'} data-gate={!named}>
      <ChatHeader profile={profile} connecting={false} />
      {page.banner && <CodeBanner code={page.banner} onDismiss={props.onDismissBanner} />}
      {/* The visitor has a name and the chat is loading. */}
      {!named && (
        <NameGate
          host={profile.brand.displayName}
          hostIsHere={profile.presence === 'online'}
          saving={page.saving}
          error={page.nameError}
          onName={props.onName}
        />
      )}
    </div>
  );
}

type Asked = Parameters<MoreActions['onAsk']>[0];

type Room = { live: Live; conversation: LiveConversation };

type ChatProps = ActiveViewProps & { room: Room; focusAtOnce: boolean; keyboardOpen: boolean };

function Chat({ room, page, profile, connection, focusAtOnce, keyboardOpen, ...on }: ChatProps) {
  const { live, conversation } = room;
  const state = useLiveConversation(conversation);
  const line = useLine(live);
  const [asked, ask] = useState<Asked | null>(null);
  const [failures, setFailures] = useState(0);
  const ended = state.gone ? 'signed_out' : live.endReason();
  const view = state.view && 'isFirstDevice' in state.view ? state.view : undefined;
  const mayLetIn = view?.isFirstDevice === true;
  const code = view?.continueCode;
  const away = !!view?.away && view.canSend && !ended;
  const onRenewCode = mayLetIn ? on.onRenewCode : undefined;
  const { onGone, onCode } = on;

  useEffect(() => {
    if (state.gone) onGone(state.erased === true);
  }, [state.gone, state.erased, onGone]);

  useEffect(() => {
    if (code !== undefined) onCode(code);
  }, [code, onCode]);

  /** Opens after its script has loaded. A failed load can be retried. */
  function open(what: Asked): void {
    const load: () => Promise<unknown> =
      what === 'name' ? loadForms : what === 'mail' ? loadMail : loadRights;
    load().then(
      () => ask(what),
      () => setFailures((count) => count + 1),
    );
  }

  // Offline, nobody can join.
  const codeBanner = page.banner && !ended && (line === 'fine' || line === 'connecting') && (
    <CodeBanner
      code={page.banner}
      onRenew={page.mayRenew && onRenewCode ? () => void onRenewCode() : undefined}
      onDismiss={on.onDismissBanner}
    />
  );

  return (
    <div className={styles.app} data-lamp={profile.presence !== 'away' && !away}>
      <ChatHeader
        profile={profile}
        away={away}
        connecting={line === 'connecting' || line === 'offline'}
        ended={ended !== undefined}
        tools={
          <>
            <ChatBell
              name={profile.brand.displayName}
              state={state}
              connection={connection}
              code={code ?? page.banner}
              onRenewCode={onRenewCode}
            />
            <MoreButton
              onAsk={open}
              onAnotherDevice={onRenewCode && (() => (code ? on.onShowCode(code) : void onRenewCode()))}
              canErase={view?.canErase !== false}
              canMail={view?.canMail}
            />
          </>
        }
      />
      {ended ? (
        <EndNotice reason={ended} />
      ) : (
        <LineNotice line={line}>{!state.loaded && texts.historyOffline}</LineNotice>
      )}
      {page.codeFailures > 0 && <PassingNotice key={page.codeFailures}>{page.codeError}</PassingNotice>}
      {!!view?.joinedAt && (
        <Joined conversationId={state.id} at={view.joinedAt} onShow={() => open('devices')} />
      )}
      {codeBanner}
      {failures > 0 && <PassingNotice key={-failures}>{texts.networkError}</PassingNotice>}
      <ChatRoom
        conversation={conversation}
        state={state}
        connection={connection}
        brand={profile.brand}
        keyboardOpen={keyboardOpen}
        focusAtOnce={focusAtOnce}
        ended={ended !== undefined}
        onMail={view?.canMail ? () => open('mail') : undefined}
      />
      {asked === 'mail' && (
        <MailDialog conversationId={state.id} tokens={connection.tokens} onClose={() => ask(null)} />
      )}
      {asked && asked !== 'name' && asked !== 'mail' && (
        <RightsDialog
          what={asked}
          conversationId={state.id}
          profileName={profile.brand.displayName}
          api={connection.api}
          joinedAt={view?.joinedAt ?? null}
          onErased={on.onErased}
          onClose={() => ask(null)}
        />
      )}
      {asked === 'name' && (
        <ChangeName
          name={state.view?.visitorName ?? ''}
          saving={page.saving}
          error={page.nameError}
          onName={on.onName}
          onClose={() => ask(null)}
        />
      )}
    </div>
  );
}

const endTexts = {
  outdated: texts.pageOutdated,
  signed_out: texts.signedOutHere,
  too_many_sockets: texts.tooManyTabs,
} as const;

/** Why the server closed the connection for good. */
function EndNotice({ reason }: { reason: NonNullable<ReturnType<Live['endReason']>> }) {
  return <Notice tone="danger">{endTexts[reason]}</Notice>;
}

const SHOWN_FOR_MS = 6_000;

/** Shows an error for a few seconds. The visitor can only try again. */
function PassingNotice({ children }: { children: ReactNode }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setOver, SHOWN_FOR_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return over ? null : <Notice tone="danger">{children}</Notice>;
}
