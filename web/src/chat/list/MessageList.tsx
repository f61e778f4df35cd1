import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { Dots } from '../../ui/Dots.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import type { Images } from '../images/images.ts';
import { AddressesContext } from '../images/show/addressesContext.ts';
import type { Upload } from '../images/upload/upload.ts';
import { useImageScript } from '../images/useImageScript.ts';
import type { ConversationState } from '../model/conversationState.ts';
import { type Entry, entriesOf, receiptOf } from '../model/entries.ts';
import { moveFocusWithArrows } from '../model/focusableEntry.ts';
import { groupRows } from '../model/grouping.ts';
import type { LoadOlder } from '../model/loadOlder.ts';
import type { Log } from '../model/log.ts';
import { firstUnread } from '../model/unread.ts';
import { Announcer, type OwnState } from './Announcer.tsx';
import styles from './MessageList.module.css';
import { MessageRows, NewestPill, type Thread, ThreadContext } from './MessageRows.tsx';
import { useFittedBubbles } from './useFittedBubbles.ts';
import { useScrollPosition } from './useScrollPosition.ts';
import { useUnread } from './useUnread.ts';

/** Load the next page within this distance of the first or last message. */
const LOAD_WITHIN_PX = 800;

/** The page resizes in steps while a keyboard opens, so scroll again afterwards. */
const AFTER_KEYBOARD_MS = 100;

const nothing: readonly never[] = [];

type MessageListProps = Omit<Thread, 'MediaView'> & {
  state: ConversationState;
  empty: ReactNode;
  /** Shown above the first message. */
  top?: ReactNode;
  greeting?: ReactNode;
  keyboardOpen?: boolean;
  onLooked: (seq: number) => void;
  loadOlder: LoadOlder;
  /** Replaces the log with an older part of the conversation. */
  part?: { log: Log; loadNewer: () => void; toNewest: () => void } | undefined;
  /** Whether the caller is still loading the place to open at. Undefined: the list loads it. */
  opening?: boolean;
  /** See useScrollPosition. */
  goTo?: ((box: HTMLElement) => boolean) | undefined;
  /** Shown after the message with this number; 0 means above the first. */
  between?: (seq: number) => ReactNode;
  /** The staff member who wrote a message. */
  authorOf?: (seq: number) => string | undefined;
  images?: Images | undefined;
  uploads?: readonly Upload[];
  /** Called when there is an image to show. */
  onImages?: () => void;
};

export function MessageList(props: MessageListProps) {
  const { state, name, empty, top, keyboardOpen = false, onLooked, loadOlder } = props;
  const { part, opening, goTo, between, images, onImages, authorOf, unsent, returned } = props;
  const { me } = state;
  const log = part?.log ?? state.log;
  const pending = part ? nothing : state.pending;
  const uploads = (part ? undefined : props.uploads) ?? nothing;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const divider = useRef<HTMLParagraphElement>(null);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [copiedKey, setCopiedKey] = useState<string | null>(null);
  /** The image in the viewer. */
  const [viewed, setViewed] = useState<string | null>(null);
  const { copied, copy } = useCopy();

  const { unread, ready, updateUnread } = useUnread(state, loadOlder, opening);
  const newFrom = useMemo(() => (unread ? firstUnread({ me, log }, unread) : undefined), [me, log, unread]);
  const entries = useMemo(() => entriesOf({ log, pending, me }), [log, pending, me]);
  const incoming = useMemo(() => state.log.messages.filter(({ sender }) => sender !== me), [state.log, me]);
  const rows = useMemo(() => groupRows(entries, Date.now(), newFrom, authorOf), [entries, newFrom, authorOf]);
  const ownNewest = part ? undefined : entries.findLast((entry) => entry.sender === me);
  const atStart = (entries[0]?.seq ?? 1) <= 1;
  const isEmpty = entries.length === 0 && uploads.length === 0;
  const typing = state.typingUntil > 0;
  const hasMedia = useMemo(() => entries.some(({ media }) => media), [entries]);
  const script = useImageScript(hasMedia || uploads.length > 0);
  const draws = images && script;
  const MediaView = draws?.MediaView;
  const thread = useMemo(() => ({ name, MediaView, unsent, returned }), [name, MediaView, unsent, returned]);
  const { place, toEnd, follow, scrolled, lastInSight } = useScrollPosition(scroller, list, {
    ready,
    openAt: divider,
    // The image script may load after the messages.
    content: useMemo(() => ({ rows, typing, uploads, draws }), [rows, typing, uploads, draws]),
    ownNewest: useOwnNewest(state.pending, props.uploads),
    goTo,
    toNewest: part?.toNewest,
  });

  useFittedBubbles(list, rows);

  const look = useCallback(() => {
    if (ready && document.visibilityState === 'visible') onLooked(lastInSight());
  }, [ready, onLooked, lastInSight]);

  const reach = () => {
    const box = scroller.current;
    if (!ready || !box) return;
    if (box.scrollTop < LOAD_WITHIN_PX) void loadOlder();
    if (box.scrollHeight - box.scrollTop - box.clientHeight < LOAD_WITHIN_PX) part?.loadNewer();
  };

  // After every render: visible messages count as read.
  useEffect(() => {
    look();
    reach();
  });
  useEffect(() => {
    const whenVisible = () => {
      if (document.visibilityState !== 'visible') return;
      updateUnread();
      look();
    };
    document.addEventListener('visibilitychange', whenVisible);
    return () => document.removeEventListener('visibilitychange', whenVisible);
  }, [look, updateUnread]);

  useEffect(() => {
    if (!keyboardOpen) return;
    const timer = setTimeout(follow, AFTER_KEYBOARD_MS);
    return () => clearTimeout(timer);
  }, [keyboardOpen, follow]);

  useEffect(() => {
    if (hasMedia && script && !images) onImages?.();
  }, [hasMedia, script, images, onImages]);

  function onScroll(): void {
    scrolled();
    look();
    reach();
  }

  function goToNewest({ currentTarget: pill }: MouseEvent): void {
    const hadFocus = pill === document.activeElement;
    toEnd();
    // At the end the pill disappears, and the focus would be lost.
    if (hadFocus) scroller.current?.focus({ preventScroll: true });
  }

  function onPress({ target }: MouseEvent): void {
    const pressed = target as Element;
    const entry = entries.find(({ key }) => key === keyOf(pressed));
    if (!entry) return;
    if (pressed.closest('[data-copy]')) {
      setCopiedKey(entry.key);
      void copy(entry.text);
    } else if (pressed.closest('[data-image]')) {
      setViewed(entry.key);
    } else if (!pressed.closest('a, button, video')) {
      setOpenKey(entry.key === openKey ? null : entry.key);
    }
  }

  return (
    <AddressesContext value={images?.addresses ?? null}>
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={styles.scroller}
          onScroll={onScroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={texts.messages}
          onKeyDown={moveFocusWithArrows}
          onClick={onPress}
        >
          <div ref={list} className={styles.list} data-ready={ready || !state.loaded}>
            {!ready && (state.loaded || entries.length === 0) && (
              <div className={styles.centre} role="status">
                <Dots />
                <Hidden>{texts.messagesLoading}</Hidden>
              </div>
            )}
            {ready && !atStart && <LoadingMore />}
            {ready && atStart && (
              <>
                {entries.length > 0 && top}
                {between?.(0)}
                {isEmpty && <div className={styles.centre}>{empty}</div>}
                {props.greeting}
              </>
            )}
            <ThreadContext value={thread}>
              <MessageRows
                rows={rows}
                state={state}
                ownNewest={ownNewest}
                newFrom={newFrom}
                divider={divider}
                images={images}
                openKey={openKey}
                copiedKey={copied ? copiedKey : null}
                between={between}
              />
            </ThreadContext>
            {draws && uploads.length > 0 && (
              <draws.UploadList
                uploads={uploads}
                behindOwn={entries.at(-1)?.sender === me}
                of={images.uploads}
              />
            )}
            {part && ready && <LoadingMore />}
            {typing && !part && (
              <p className={styles.typing}>
                <Dots />
                <span className="hidden">{fillText(texts.isTyping, { name })}</span>
              </p>
            )}
          </div>
        </div>
        <NewestPill state={state} place={place} after={unread?.after ?? 0} onPress={goToNewest} />
        {state.loaded && (
          <Announcer incoming={incoming} name={name} own={ownNewest && ownState(ownNewest, state)} />
        )}
        <div role="status">{copied && copiedKey && <Hidden>{texts.copied}</Hidden>}</div>
        {draws && viewed && (
          <draws.Lightbox entries={entries} at={viewed} me={me} name={name} onClose={() => setViewed(null)} />
        )}
      </div>
    </AddressesContext>
  );
}

function LoadingMore() {
  return (
    <div className={styles.older}>
      <Dots />
    </div>
  );
}

/** A returned message announces itself. */
function ownState(entry: Entry, state: ConversationState): OwnState | undefined {
  return entry.state === 'returned'
    ? undefined
    : { key: entry.key, state: receiptOf(entry, state)?.state ?? 'failed' };
}

function keyOf(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-key]')?.dataset.key;
}

type Own = { id: string; at: number };

/** The id of this side's latest message or upload. It stays the same when the upload becomes a message. */
function useOwnNewest(pending: readonly Own[], uploads: readonly Own[] = []): string | undefined {
  const [newest, setNewest] = useState<Own>();
  const latest = [...pending, ...uploads].reduce(
    (before, own) => (own.at > (before?.at ?? 0) ? own : before),
    newest,
  );
  if (latest !== newest) setNewest(latest);
  return latest?.id;
}
