import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
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
  foot?: ReactNode;
};

const ROW_PX = 72;
/** Rendered beyond the viewport, for fast scrolling. */
const BEYOND_PX = 400;

const Rows = createContext<{ rows: readonly Row[]; kept: readonly number[] }>({ rows: [], kept: [] });

/** A virtual list. For screen readers it is one list. */
export function QueueList<R extends Row>({ rows, openId, children, hold, foot }: QueueListProps<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const focus = useRovingFocus(scroller, rows, openId, (index) =>
    virtualizer.current?.scrollToIndex(index, { align: 'nearest' }),
  );
  const shown = useMemo(() => ({ rows, kept: focus.kept }), [rows, focus.kept]);
  const openIndex =
    openId === undefined ? -1 : rows.findIndex(({ conversationId }) => conversationId === openId);

  // Scrolls to the opened conversation, once.
  const broughtInto = useRef<string>(undefined);
  useEffect(() => {
    if (broughtInto.current === openId || openIndex < 0) return;
    broughtInto.current = openId;
    virtualizer.current?.scrollToIndex(openIndex, { align: 'nearest' });
  }, [openId, openIndex]);

  return (
    <div ref={scroller} className={styles.scroller} {...hold} {...focus.handlers}>
      <Rows value={shown}>
        <RovingRow value={focus.tabId}>
          <Virtualizer
            ref={virtualizer}
            data={rows}
            as={List}
            item={Item}
            itemSize={ROW_PX}
            bufferSize={BEYOND_PX}
            keepMounted={focus.kept}
          >
            {children}
          </Virtualizer>
        </RovingRow>
      </Rows>
      {foot}
    </div>
  );
}

function List({ style, children, ref }: CustomContainerComponentProps) {
  // The virtualizer disables pointer events while scrolling, which would lose clicks.
  const clickable = { ...style, pointerEvents: undefined };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari ignores lists without bullets.
    <ul ref={ref as ComponentProps<'ul'>['ref']} className={styles.list} style={clickable} role="list">
      {children}
    </ul>
  );
}

function Item({ style, index, children, ref }: CustomItemComponentProps) {
  const { rows, kept } = use(Rows);
  return (
    <li
      ref={ref as ComponentProps<'li'>['ref']}
      // A row is hidden until it is measured, and Tab skips hidden rows.
      style={kept.includes(index) ? { ...style, visibility: undefined } : style}
      aria-posinset={index + 1}
      aria-setsize={rows.length}
      {...rowAttribute(rows[index]?.conversationId)}
    >
      {children}
    </li>
  );
}
