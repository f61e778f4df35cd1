import type { QueueRow } from '@settee/protocol/model/conversation';
import type { OwnProfile } from '@settee/protocol/model/profile';
import { QUEUE_PAGE } from '@settee/protocol/model/queue';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AccountMenu } from '../account/AccountMenu.tsx';
import { useConsole, useQueueCounts, useSignedIn } from '../context.ts';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import { chatElement, focusSoon } from '../keys/focusTargets.ts';
import { shapes } from '../shapes.ts';
import { ClosedQueue } from './ClosedQueue.tsx';
import { DeskMenu, ScopeButton } from './DeskMenu.tsx';
import { type MergedQueue, queuesOnDuty, shownList, shownQueues } from './deskQueues.ts';
import { Filters } from './Filters.tsx';
import { OpenQueue } from './OpenQueue.tsx';
import { useOwnDesks, useRowDesk, useScope } from './ownDesks.ts';
import styles from './QueuePane.module.css';
import { sortQueue } from './queue.ts';
import { filterInSearch, listKey, waitingSummary } from './queueFilter.ts';
import type { KnownQueue } from './queuePages.ts';
import { useSelection } from './useSelection.ts';

export function QueuePane({ openId }: { openId: string | undefined }) {
  const { staff } = useSignedIn();
  const desks = useOwnDesks();
  const commands = useCommandRegistry();
  const scope = useScope();
  const { queues, onDuty, queue, part, failed, tryAgain } = useQueue(scope.desks);
  const { profiles, alias = staff.alias } = useConsole();
  const now = useCurrentMinute();
  const location = useLocation();
  const show = filterInSearch(location.search);
  const selection = useSelection(listKey(show, scope.search));
  const notice: unknown = (location.state as { notice?: unknown } | null)?.notice;
  // Shown once, not again after a reload.
  useEffect(() => {
    if (notice !== undefined) window.history.replaceState({ ...window.history.state, usr: null }, '');
  }, [notice]);
  const counts = useQueueCounts(queues);
  const listed = counts.open - counts.snoozed;
  const waiting = waitingSummary(useQueueCounts(onDuty), now);
  const longest = queue?.find(({ conversationId }) => conversationId === waiting?.id);
  const deskOf = useRowDesk(scope);
  const maySelect = show !== 'closed' && listed > 0;
  useCommands(maySelect ? [{ id: 'select', name: consoleTexts.selectChats, run: selection.start }] : []);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !selection.selected) return;
    event.stopPropagation();
    selection.stop();
  }

  return (
    <section className={styles.queue} aria-label={consoleTexts.queueTitle} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <div className={styles.top}>
          <div className={styles.title}>
            <h1>
              <span>{consoleTexts.queueTitle}</span> {queue && <span>({listed})</span>}
            </h1>
            {desks.length > 0 ? (
              profiles.length > 0 ? (
                <ScopeButton />
              ) : (
                <DeskMenu desks={desks} />
              )
            ) : (
              <p className={styles.alias}>
                {fillText(consoleTexts.queueHandler, { alias: alias ?? staff.name })}
              </p>
            )}
          </div>
          <Button look="round" title={consoleTexts.signOut} onClick={() => commands.run('signOut')}>
            <Shape paths={shapes.out} />
            <Hidden>{consoleTexts.signOut}</Hidden>
          </Button>
          {/* On wider screens it is in the rail. */}
          <AccountMenu className={styles.onPages} />
        </div>
        <SearchButton onOpen={() => commands.run('palette')} />
      </header>
      {waiting && <WaitingStrip {...waiting} row={longest} {...(longest && deskOf(longest))} />}
      <div className={styles.tools}>
        <Filters
          show={show}
          scope={scope.search}
          unread={counts.unread}
          waiting={counts.waiting}
          snoozed={counts.snoozed}
        />
        {maySelect && (
          <Button
            look="round"
            className={styles.select}
            aria-pressed={selection.selected !== null}
            aria-label={consoleTexts.selectChats}
            title={consoleTexts.selectChats}
            onClick={selection.selected ? selection.stop : selection.start}
          >
            {selection.selected ? <Icon name="x" /> : <Shape paths={shapes.checks} />}
          </Button>
        )}
      </div>
      {typeof notice === 'string' && (
        <Notice tone="danger" icon="alert">
          {notice}
        </Notice>
      )}
      {show === 'closed' ? (
        <ClosedQueue key={scope.search} scope={scope} now={now} openId={openId} />
      ) : queue ? (
        <OpenQueue
          all={queue}
          part={part}
          counts={counts}
          show={show}
          scope={scope}
          now={now}
          openId={openId}
          selection={selection}
        />
      ) : failed ? (
        <ListFailed text={consoleTexts.couldNotLoad} onTryAgain={tryAgain} />
      ) : (
        <ListLoading text={consoleTexts.queueLoading} />
      )}
    </section>
  );
}

/** Looks like a field and opens the palette. */
function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className={styles.search} aria-keyshortcuts="Control+K Meta+K" onClick={onOpen}>
      <Shape paths={shapes.lens} size={18} />
      <span className={styles.words}>{consoleTexts.searchOrJump}</span>
      <span className={`${styles.keys} with-keyboard`} aria-hidden="true">
        <kbd>{/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  );
}

type WaitingStripProps = NonNullable<ReturnType<typeof waitingSummary>> & {
  /** In a list of several profiles. */
  profile?: OwnProfile | undefined;
  /** Undefined if the row is on a page that was not read yet. */
  row: QueueRow | undefined;
};

/** Who has waited longest, perhaps far down the list, and how many more wait. It opens that chat. */
function WaitingStrip({ id, count, longest, long, row, profile }: WaitingStripProps) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const name = row ? visitorNameOrLabel(row) : fillText(consoleTexts.stripCount, { count });
  return (
    <button
      type="button"
      className={styles.strip}
      data-long={long}
      onClick={() => {
        void navigate({ pathname: `/conversation/${id}`, search });
        focusSoon(chatElement);
      }}
    >
      <Icon name="clock" size={17} />
      {profile && <ProfilePicture profile={profile} size={20} />}
      {profile && <Hidden>{profile.displayName}: </Hidden>}
      <b>{fillNodes(consoleTexts.strip, { name: <bdi>{name}</bdi>, time: <span>{longest}</span> })}</b>
      <span>{row && count > 1 && `· ${fillText(consoleTexts.stripMore, { count: count - 1 })}`}</span>
      <Shape paths={shapes.right} size={16} />
    </button>
  );
}

type Known = MergedQueue & {
  queues: readonly KnownQueue[];
  /** Those of which the strip shows who waits. */
  onDuty: readonly KnownQueue[];
};

/** The socket provides the queue. A call reads it while there is no socket. */
function useQueue(desks: readonly string[]): Known & { failed: boolean; tryAgain: () => void } {
  const { session } = useSignedIn();
  const known = useConsole();
  const { queues, queue: all, part, desks: held, deskReads } = known;
  const live: Known = {
    ...useMemo(() => shownList({ queues, queue: all, part }, desks), [queues, all, part, desks]),
    queues: useMemo(() => shownQueues(queues, desks), [queues, desks]),
    onDuty: useMemo(() => queuesOnDuty(queues, held, desks), [queues, held, desks]),
  };
  const read = useQuery({
    queryKey: ['queue'],
    enabled: live.queue === null,
    queryFn: async () => {
      const query = { limit: String(QUEUE_PAGE) };
      const { rows, counts } = await readOrThrow(session.api, 'readQueue', { query });
      return { queue: sortQueue(rows), part: counts ? { counts, readTo: {} } : null };
    },
  });
  // After a reconnect, the cached answer may be of other desks: wait for the new one.
  const data = deskReads > 0 && read.isFetching ? undefined : read.data;
  const called = useMemo((): Known | undefined => {
    // If it is only a part, nobody knows how much of one desk it has.
    if (!data || (desks.length > 0 && data.part)) return undefined;
    const queue = data.queue.filter(({ alias = '' }) => desks.length === 0 || desks.includes(alias));
    const queues = [{ ...data, queue }];
    return { ...data, queue, queues, onDuty: queues };
  }, [data, desks]);
  // Without rows it is still loading.
  return {
    ...(live.queue || !called ? live : called),
    failed: read.isError,
    tryAgain: () => void read.refetch(),
  };
}
