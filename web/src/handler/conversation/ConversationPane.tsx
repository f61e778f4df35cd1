import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import bubble from '../../chat/list/Bubble.module.css';
import { MessageList } from '../../chat/list/MessageList.tsx';
import type { Entry } from '../../chat/model/entries.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { useLiveConversation } from '../../chat/model/useLiveConversation.ts';
import { openDraft } from '../../chat/outbox/draft.ts';
import { BlockDialog } from '../../staff/block/BlockDialog.tsx';
import { NoteCard } from '../../staff/notes/NoteCard.tsx';
import { notesBySeq } from '../../staff/notes/noteList.ts';
import { useAuthors } from '../../staff/useAuthors.ts';
import { Button } from '../../ui/Button.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { StaffComposer } from '../composer/StaffComposer.tsx';
import { useChatImages, useConsole, usePageName, useSignedIn, useVisitorsHere } from '../context.ts';
import { DetailsContent } from '../details/DetailsContent.tsx';
import { DetailsPanel } from '../details/DetailsPanel.tsx';
import { useCommandRegistry } from '../keys/commands.ts';
import { useNotes } from '../notes/useNotes.ts';
import { useDesk } from '../queue/ownDesks.ts';
import { deskOf } from '../queue/profileAt.ts';
import { ColleaguesNotice, useColleagues } from './ColleaguesNotice.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import styles from './ConversationPane.module.css';
import { HandOverDialog } from './HandOverDialog.tsx';
import { useConversationActions } from './useConversationActions.ts';
import { useThread } from './useThread.ts';

type ConversationPaneProps = { conversation: LiveConversation; notFound: ReactNode };

export function ConversationPane({ conversation, notFound }: ConversationPaneProps) {
  const { session, push, staff, console } = useSignedIn();
  const heading = useId();
  const { brand, profiles, queue } = useConsole();
  const visitorsHere = useVisitorsHere();
  const state = useLiveConversation(conversation);
  const { colleagues, replying } = useColleagues(state.id, state.watch === 'done');
  const images = useChatImages(conversation);
  const thread = useThread(conversation, session.api, images.uploads.at(-1)?.at);
  const messages = thread.part?.log.messages ?? state.log.messages;
  const authorOf = useAuthors({ session, staff, ...console }, state.id, messages);
  // The queue usually knows the name first.
  const visitor = state.view ?? queue?.find((row) => row.conversationId === state.id);
  const name = visitor ? visitorNameOrLabel(visitor) : '';
  const desk = deskOf(visitor);
  const own = useDesk(desk);
  const deskName = own?.name;
  const profile = useKept(own?.profile);
  const noAccess = visitor && 'noAccess' in visitor ? visitor.noAccess : null;
  usePageName(profile ? `${name} · ${profile.displayName}` : name);
  const { notes, wrote, ...noteList } = useNotes(state.id, state.head);
  const placed = useMemo(() => notesBySeq(notes), [notes]);
  const notesBehind = useCallback(
    (seq: number) =>
      placed.get(seq)?.map((note) => <NoteCard key={note.id} note={note} fresh={note.id === wrote} />),
    [placed, wrote],
  );

  const returned = useCallback(
    (entry: Entry) => <ReturnedReply entry={entry} conversation={conversation} />,
    [conversation],
  );

  const status = state.view?.status;
  // No actions before the visitor is known.
  const readOnly = state.gone || visitor === undefined;
  const { actions, back, asking, ...page } = useConversationActions({
    id: state.id,
    name,
    desk,
    status,
    readOnly,
  });

  const ended = status === 'closed' || status === 'blocked';
  const isRevoked = noAccess === 'revoked' && !ended;
  const mayWrite = !state.gone && !isRevoked && (state.view?.canSend ?? true);
  const instead = state.gone ? (
    <InsteadOfComposer reason={consoleTexts.notYours} action={consoleTexts.backToQueue} onAction={back} />
  ) : isRevoked ? (
    <InsteadOfComposer
      reason={consoleTexts.accessRevoked}
      action={actions.changeStatus.text}
      onAction={actions.changeStatus.run}
    />
  ) : (
    <p className={styles.closed}>{status === 'blocked' ? consoleTexts.blockedTitle : texts.closedTitle}</p>
  );

  // A loaded conversation stays readable. One that never loaded is not found.
  if (state.gone && !state.loaded) return notFound;
  return (
    <>
      <section className={styles.conversation} aria-labelledby={heading}>
        <ConversationHeader
          id={heading}
          alias={(deskName === undefined && staff.alias) || staff.name}
          // With several profiles, the composer says it.
          desk={mayWrite && profiles.length === 0 ? deskName : undefined}
          name={name}
          present={noAccess === null ? visitorsHere?.has(state.id) : undefined}
          profile={profile}
          profileName={profile?.displayName ?? (profiles.length === 0 ? brand.displayName : '')}
          push={push}
          status={status}
          readOnly={readOnly}
          actions={actions}
          onBack={back}
        />
        {page.error && <Notice tone="danger">{page.error}</Notice>}
        {state.line === 'down' && state.loaded && <Notice tone="lamp">{texts.connecting}</Notice>}
        <MessageList
          state={noAccess === null || state.typingUntil === 0 ? state : { ...state, typingUntil: 0 }}
          name={name}
          empty={
            <>
              <p className={styles.emptyTitle}>{consoleTexts.staffEmptyTitle}</p>
              <p className="ink-3">{consoleTexts.staffEmptyNote}</p>
            </>
          }
          unsent={conversation}
          {...thread}
          {...images}
          authorOf={authorOf}
          between={notesBehind}
          returned={returned}
        />
        <ColleaguesNotice colleagues={colleagues} />
        {noteList.failed && <NotesFailed onRetry={noteList.reload} />}
        {noAccess === 'removed' && <Notice tone="lamp">{consoleTexts.accessRemoved}</Notice>}
        {mayWrite ? (
          <StaffComposer
            conversation={conversation}
            visitorName={visitor?.visitorName ?? ''}
            profile={profile}
            onNote={noteList.add}
            onTyping={() => {
              conversation.typing();
              replying();
            }}
          />
        ) : (
          <>
            <KeptDrafts conversationId={state.id} />
            {instead}
          </>
        )}
      </section>
      {visitor && (
        <DetailsPanel
          visitor={visitor}
          conversationId={state.id}
          open={asking === 'details'}
          onClose={page.onAsked}
        >
          {(away) => (
            <DetailsContent
              conversationId={state.id}
              desk={deskName}
              head={state.head}
              rev={visitor.rev}
              ready={state.loaded}
              onInserted={away}
            />
          )}
        </DetailsPanel>
      )}
      {asking === 'block' && (
        <BlockDialog
          name={name}
          action={consoleTexts.blockConfirm}
          onBlock={async (choice) => page.onBlock(choice)}
          onClose={page.onAsked}
        />
      )}
      {asking === 'transfer' && (
        <HandOverDialog
          conversationId={state.id}
          from={desk}
          name={name}
          onDone={page.onHandedOver}
          onFailed={page.onHandOverFailed}
          onClose={page.onAsked}
        />
      )}
    </>
  );
}

/** Also after its desk was lost, and with it perhaps the profile. */
function useKept<T>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}

type InsteadProps = { reason: string; action: string; onAction: () => void };

/** Nobody would get a reply: the conversation belongs to another desk, or its visitor cannot read it. */
function InsteadOfComposer({ reason, action, onAction }: InsteadProps) {
  return (
    <div className={styles.note} role="status">
      <p>{reason}</p>
      <Button look="outline" onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}

/** A thread whose notes failed to load looks like one without notes. */
function NotesFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="danger">
      {consoleTexts.notesFailed}{' '}
      <Button look="bare" danger onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </Notice>
  );
}

type KeptDraftsProps = { conversationId: string };

/** What was typed into the reply and the note before the composer went away. */
function KeptDrafts({ conversationId }: KeptDraftsProps) {
  return (
    <>
      <KeptDraft key={conversationId} conversationId={conversationId} />
      <KeptDraft key={`${conversationId}-note`} conversationId={conversationId} note />
    </>
  );
}

function KeptDraft({ conversationId, note }: KeptDraftsProps & { note?: true }) {
  const { unsent } = useSignedIn();
  const [draft] = useState(() => openDraft(unsent, conversationId, note));
  const text = useSyncExternalStore(draft.subscribe, draft.read);
  const { copied, copy } = useCopy();
  if (text.trim() === '') return null;
  return (
    <div className={styles.draft}>
      <b>{consoleTexts.draftMark}</b>
      <p dir="auto">{text}</p>
      <Button look="outline" onClick={() => void copy(text)}>
        {copied ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}

type ReturnedReplyProps = { entry: Entry; conversation: LiveConversation };

/** Below a reply that was held, because a colleague answered first or it names another profile. */
function ReturnedReply({ entry, conversation }: ReturnedReplyProps) {
  const { unsent } = useSignedIn();
  const commands = useCommandRegistry();
  const { key: id, text, at, media, names } = entry;

  function sendAnyway({ currentTarget }: MouseEvent): void {
    // The button disappears.
    currentTarget.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
    conversation.retry(id);
  }

  /** The text is a draft before its bubble goes. */
  function edit(): void {
    const conversationId = conversation.state().id;
    openDraft(unsent, conversationId).putBack({ id, conversationId, text, at, state: 'returned' });
    conversation.drop(id);
    commands.run('reply');
  }

  return (
    <p className={`${bubble.meta} ${bubble.failed}`} data-tone="lamp" role="alert">
      <Icon name="alert" size={15} />
      <span className={styles.why}>
        {names === undefined
          ? consoleTexts.answeredFirst
          : fillNodes(consoleTexts.namesAnother, { name: <bdi>{names}</bdi> })}
      </span>
      {/* On a phone they wrap together. */}
      <span>
        <button type="button" onClick={sendAnyway}>
          {consoleTexts.sendAnyway}
        </button>
        {media ? (
          <button type="button" onClick={() => conversation.drop(id)}>
            {texts.dismiss}
          </button>
        ) : (
          <button type="button" onClick={edit}>
            {consoleTexts.edit}
          </button>
        )}
      </span>
    </p>
  );
}
