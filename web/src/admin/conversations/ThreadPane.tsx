import type { StaffConversation } from '@settee/protocol/model/conversation';
import type { ConversationDetails } from '@settee/protocol/model/details';
import { Uuid } from '@settee/protocol/model/ids';
import { initials } from '@settee/protocol/model/initials';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as conversationTexts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import * as v from 'valibot';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { useImages } from '../../chat/images/useImages.ts';
import { MessageList } from '../../chat/list/MessageList.tsx';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { type LiveConversation, startLiveConversation } from '../../chat/model/liveConversation.ts';
import { type LoadOlder, olderLoader } from '../../chat/model/loadOlder.ts';
import { useLiveConversation } from '../../chat/model/useLiveConversation.ts';
import { memoryOutbox } from '../../chat/outbox/outbox.ts';
import type { Live } from '../../net/live.ts';
import { blockedUntil } from '../../staff/block/BlockFields.tsx';
import { Collapsible } from '../../staff/Collapsible.tsx';
import { ListFailed, ListState } from '../../staff/ListState.tsx';
import { messageInAddress, scrollToMessage } from '../../staff/messageInAddress.ts';
import { NoteCard } from '../../staff/notes/NoteCard.tsx';
import { notesBySeq } from '../../staff/notes/noteList.ts';
import { Pill } from '../../staff/Pill.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { tintOf } from '../../staff/tint.ts';
import { useAuthors } from '../../staff/useAuthors.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { useAdmin } from '../context.ts';
import { useDocumentTitle } from '../parts/Page.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { DeskName } from '../useDesks.tsx';
import { statusText } from './ConversationRow.tsx';
import { ThreadActions } from './ThreadActions.tsx';
import styles from './ThreadPane.module.css';

/** One conversation, read-only. */
export function ThreadPane({ id }: { id: string }) {
  return v.is(Uuid, id) ? <Thread id={id} /> : <NotFound />;
}

function Thread({ id }: { id: string }) {
  const { state, ...list } = useReadOnlyConversation(id);
  const authorOf = useAuthors(useAdmin(), id, state.log.messages);
  const { notes, failed, reload } = useThreadNotes(id);
  const between = useCallback(
    (seq: number) => notes.get(seq)?.map((note) => <NoteCard key={note.id} note={note} fresh={false} />),
    [notes],
  );
  // Administrators receive the staff view.
  const view = state.view as StaffConversation | null;
  const name = view ? visitorNameOrLabel(view) : '';
  const place = useMessageInAddress(state, list.loadOlder);
  const heading = useFocusOnArrival(view !== null, place.goTo !== undefined);
  useDocumentTitle(state.gone || name === '' ? null : titleText(name));
  if (state.gone) return <NotFound />;
  return (
    <section className={styles.pane} aria-label={conversationTexts.thread}>
      <div className={styles.strip}>
        <BackLink />
        <p className={styles.viewing}>
          <Shape paths={staffShapes.eye} size={17} />
          <b>{conversationTexts.viewing}</b>{' '}
          <span className="hidden-narrow">{conversationTexts.viewingNote}</span>
        </p>
      </div>
      <header className={styles.top}>
        {view && <Avatar letters={initials(name)} size={42} tint={tintOf(view.visitorId)} />}
        <div className={styles.who}>
          <h1 ref={heading} className={styles.name} tabIndex={-1}>
            <bdi>{name}</bdi>
          </h1>
          <ChatWith id={id} />
        </div>
        {view && <ThreadActions conversation={view} name={name} head={state.head} />}
      </header>
      {view && <ThreadDetails conversation={view} head={state.head} />}
      {state.line === 'down' && state.loaded && <Notice tone="lamp">{texts.connecting}</Notice>}
      <MessageList
        state={state}
        name={name}
        empty={<p>{consoleTexts.staffEmptyTitle}</p>}
        between={between}
        authorOf={authorOf}
        {...list}
        {...place}
      />
      {failed && <ListFailed text={consoleTexts.notesFailed} onTryAgain={reload} />}
    </section>
  );
}

/** Focuses the title on narrow screens, where the thread replaces the list. */
function useFocusOnArrival(known: boolean, atMessage: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const alone = useMediaQuery('(max-width: 1279px)');
  const arriving = useRef(true);
  useEffect(() => {
    if (!known || !arriving.current) return;
    arriving.current = false;
    if (!alone) return;
    scrollTo(0, 0);
    if (atMessage) return;
    heading.current?.focus({ preventScroll: true });
  }, [known, alone, atMessage]);
  return heading;
}

function BackLink() {
  const search = new URLSearchParams(useLocation().search);
  search.delete('message');
  return (
    <Link
      className={styles.back}
      aria-label={conversationTexts.back}
      preventScrollReset
      to={{ pathname: '/conversations', search: search.toString() }}
    >
      <Icon name="back" size={17} />
      <span>{conversationTexts.back}</span>
    </Link>
  );
}

/** The name comes first, so that tabs can be told apart. */
function titleText(name: string): string {
  return `${name} · ${adminTexts.conversations}`;
}

function NotFound() {
  useDocumentTitle(titleText(texts.conversationNotFound));
  return (
    <section className={styles.pane} aria-label={conversationTexts.thread}>
      <BackLink />
      <ListState>
        <p role="alert">{texts.conversationNotFound}</p>
      </ListState>
    </section>
  );
}

/** The notes by the number of the message before them. Read again when a note is added. */
function useThreadNotes(id: string) {
  const { live } = useAdmin();
  const { data, isError, refetch } = useAdminQuery('conversations', 'readNotes', { params: { id } });
  useEffect(
    () =>
      live.line.onFrame((frame) => {
        if (frame.type === 'note' && frame.note.conversationId === id) void refetch();
      }),
    [live, id, refetch],
  );
  return {
    notes: useMemo(() => notesBySeq(data?.notes ?? []), [data]),
    failed: isError,
    reload: () => void refetch(),
  };
}

/** What the visitor sees. Only with several profiles. */
function ChatWith({ id }: { id: string }) {
  const { data } = useAdminQuery('conversations', 'readDetails', { params: { id } });
  const profile = data?.details.profile;
  if (profile === undefined) return null;
  return <p className="muted">{fillText(consoleTexts.chatWith, { name: profile.displayName })}</p>;
}

/** Facts that an administrator needs to decide. */
function ThreadDetails({ conversation, head }: { conversation: StaffConversation; head: number }) {
  const { id, status, handlerAlias, createdAt } = conversation;
  const { data } = useAdminQuery('conversations', 'readDetails', { params: { id } });
  const { text, tone } = statusText[status];
  // On a phone the messages need the space.
  const small = useMediaQuery('(max-width: 767px)');
  // After a status change the loaded block is outdated.
  const block = status === 'blocked' ? data?.details.block : null;
  const details = (
    <dl className={styles.details} aria-label={conversationTexts.details}>
      <Detail name={conversationTexts.status}>
        <Pill tone={tone}>{text}</Pill>
      </Detail>
      <Detail name={conversationTexts.desk}>
        <DeskName alias={handlerAlias} />
      </Detail>
      <Detail name={conversationTexts.invite}>
        {data && (data.details.inviteLabel || conversationTexts.noLabel)}
      </Detail>
      <Detail name={conversationTexts.started}>{dateAndTime(createdAt, Date.now())}</Detail>
      <Detail name={conversationTexts.devices}>{data?.details.devices}</Detail>
      <Detail name={conversationTexts.messages}>{head}</Detail>
      {block && <BlockDetails block={block} />}
    </dl>
  );
  if (!small) return details;
  return (
    <div className={styles.fold}>
      <Collapsible
        summary={
          <>
            {conversationTexts.details} <Pill tone={tone}>{text}</Pill>
          </>
        }
      >
        {details}
      </Collapsible>
    </div>
  );
}

function BlockDetails({ block }: { block: NonNullable<ConversationDetails['block']> }) {
  return (
    <>
      <Detail name={blockTexts.blockReason}>{block.reason || blockTexts.noReason}</Detail>
      <Detail name={blockTexts.blocked}>{blockedUntil(block)}</Detail>
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children ?? '…'}</bdi>
      </dd>
    </div>
  );
}

/** No uploads are stored under this key. */
const NO_OWNER = 'reading';

/** Follows a conversation without side effects: sends nothing, reports nothing and marks nothing as seen. */
function useReadOnlyConversation(id: string) {
  const { session } = useAdmin();
  const conversation = useConversation(id);
  const state = useLiveConversation(conversation);
  // The reading position is not sent to the server.
  const [looked, setLooked] = useState(0);
  const onLooked = useCallback((seq: number) => setLooked((before) => Math.max(before, seq)), []);
  const loadOlder = useMemo(() => olderLoader(session.api, conversation), [session, conversation]);
  const { images, want: onImages } = useImages(conversation, NO_OWNER, session.tokens);

  const shown: ConversationState = useMemo(() => {
    const { view, head } = state;
    // The list opens at its end, not at the desk's first unread message.
    return { ...state, looked, view: view && { ...view, ownerSeen: head } };
  }, [state, looked]);

  return { state: shown, loadOlder, onLooked, images, onImages };
}

function useConversation(id: string): LiveConversation {
  const { live } = useAdmin();
  const [conversation] = useState(() => start(live.line, id));
  useEffect(() => () => conversation.stop(), [conversation]);
  return conversation;
}

function start(live: Live, id: string): LiveConversation {
  return startLiveConversation({
    id,
    me: 'owner',
    live,
    outbox: memoryOutbox(),
  });
}

/** Maximum pages to read back. Older messages are in the download. */
const PAGES_MAX = 60;

/**
 * Shows the message in the address (`?message=`): loads older pages until it is there, then scrolls to it.
 * `opening` is true until then.
 */
function useMessageInAddress(
  { loaded, log }: ConversationState,
  loadOlder: LoadOlder,
): { opening?: boolean; goTo?: (box: HTMLElement) => boolean } {
  const { search, key } = useLocation();
  const seq = messageInAddress(search);
  const first = log.messages[0]?.seq ?? 0;
  const [gaveUp, setGaveUp] = useState(false);
  const missing = seq !== undefined && loaded && first > seq && !gaveUp;

  // One page at a time: a parallel call would only join the one in flight.
  useEffect(() => {
    if (!missing) return;
    let wanted = true;
    async function readBack(): Promise<void> {
      for (let page = 0; page < PAGES_MAX && wanted; page += 1) if (!(await loadOlder())) break;
      if (wanted) setGaveUp(true);
    }
    void readBack();
    return () => {
      wanted = false;
    };
  }, [missing, loadOlder]);

  const lastJump = useRef('');
  const jump = `${key} ${seq}`;
  const goTo = useCallback(
    (box: HTMLElement) => {
      if (seq === undefined || lastJump.current === jump) return false;
      const message = scrollToMessage(box, seq);
      if (!message) return false;
      lastJump.current = jump;
      message.focus({ preventScroll: true });
      return true;
    },
    [seq, jump],
  );
  if (seq === undefined) return {};
  return { opening: !loaded || missing, goTo };
}
