import type { StaffConversation } from '@settee/protocol/model/conversation';
import { Uuid } from '@settee/protocol/model/ids';
import { initials } from '@settee/protocol/model/initials';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as conversationTexts } from '@settee/protocol/texts/conversationAdminTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import * as v from 'valibot';
import { MessageList } from '../../chat/list/MessageList.tsx';
import { ListFailed, ListState } from '../../staff/ListState.tsx';
import { NoteCard } from '../../staff/notes/NoteCard.tsx';
import { notesBySeq } from '../../staff/notes/noteList.ts';
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
import { ThreadActions } from './ThreadActions.tsx';
import { ThreadDetails } from './ThreadDetails.tsx';
import styles from './ThreadPane.module.css';
import { useMessageInAddress } from './useMessageInAddress.ts';
import { useReadOnlyConversation } from './useReadOnlyConversation.ts';

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
        <h1 ref={heading} className={styles.name} tabIndex={-1}>
          <bdi>{name}</bdi>
        </h1>
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
