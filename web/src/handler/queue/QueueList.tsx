import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
} from 'react';
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';
import styles from './QueueList.module.css';
import type { HoldHandlers } from './useHeldRows.ts';
import { RovingRow, rowAttribute, useRovingFocus } from './useRovingFocus.ts';

type Row = { conversationId: string };
type QueueListProps<R extends Row> = {
  rows: readonly R[];
  openId: string | undefined;
  /** A row's element, with the id as its key. */
  children: (row: R) => ReactElement;
  hold?: HoldHandlers;
  /** Rows of the whole list, if not all are known. */
  size?: number;
  /** Loads the next rows. Another function for each page, and undefined at the end. */
  more?: (() => void) | undefined;
  foot?: ReactNode;
  /** Rows name their desk. */
  desks?: boolean;
};

const ROW_PX = 72;
/** The next rows are loaded when fewer than this are left below the viewport. */
const AHEAD_PX = 60 * ROW_PX;
/** As in the styles of a row. */
const rowPx = (desks: boolean) =>
  desks
    ? Math.max(ROW_PX, 4.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
    : ROW_PX;
/** Rendered beyond the viewport, for fast scrolling. */
const BEYOND_PX = 400;

const Rows = createContext<{ rows: readonly Row[]; size: number; kept: readonly number[] }>({
  rows: [],
  size: 0,
  kept: [],
});

/** A virtual list. For screen readers it is one list. */
export function QueueList<R extends Row>(props: QueueListProps<R>) {
  const { rows, openId, children, hold, more, foot, size = rows.length, desks = false } = props;
  const height = useMemo(() => rowPx(desks), [desks]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const focus = useRovingFocus(
    scroller,
    rows,
    openId,
    (index) => virtualizer.current?.scrollToIndex(index, { align: 'nearest' }),
    more,
  );
  const shown = useMemo(() => ({ rows, size, kept: focus.kept }), [rows, size, focus.kept]);
  const openIndex =
    openId === undefined ? -1 : rows.findIndex(({ conversationId }) => conversationId === openId);

  // Scrolls to the opened conversation, once.
  const broughtInto = useRef<string>(undefined);
  useEffect(() => {
    if (broughtInto.current === openId || openIndex < 0) return;
    broughtInto.current = openId;
    virtualizer.current?.scrollToIndex(openIndex, { align: 'nearest' });
  }, [openId, openIndex]);

  function loadAhead(): void {
    const list = virtualizer.current;
    if (list && list.scrollSize - list.scrollOffset - list.viewportSize < AHEAD_PX) more?.();
  }
  const onPage = useEffectEvent(loadAhead);
  useEffect(() => {
    if (more) onPage();
  }, [more]);

  return (
    <div ref={scroller} className={styles.scroller} {...hold} {...focus.handlers}>
      <Rows value={shown}>
        <RovingRow value={focus.tabId}>
          <Virtualizer
            ref={virtualizer}
            data={rows}
            as={List}
            item={Item}
            itemSize={height}
            bufferSize={BEYOND_PX}
            keepMounted={focus.kept}
            onScroll={loadAhead}
          >
            {children}
          </Virtualizer>
        </RovingRow>
      </Rows>
      {/* The scroll bar is right before all rows are loaded. */}
      {more && <div style={{ height: (size - rows.length) * height }} />}
      {foot}
    </div>
  );
}

function List({ style, children, ref }: CustomContainerComponentProps) {
  // The virtualizer disables pointer events while scrolling, which would lose clicks.
  const clickable = { ...style, pointerEvents: undefined };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari ignores lists without bullets.
    <ul ref={ref as ComponentProps<'ul'>['ref']} style={clickable} role="list">
      {children}
    </ul>
  );
}

function Item({ style, index, children, ref }: CustomItemComponentProps) {
  const { rows, size, kept } = use(Rows);
  return (
    <li
      ref={ref as ComponentProps<'li'>['ref']}
      // A row is hidden until it is measured, and Tab skips hidden rows.
      style={kept.includes(index) ? { ...style, visibility: undefined } : style}
      aria-posinset={index + 1}
      aria-setsize={size}
      {...rowAttribute(rows[index]?.conversationId)}
    >
      {children}
    </li>
  );
}
