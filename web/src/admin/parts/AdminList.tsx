import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { ListFoot, ListPanel, ResultCount } from './ListPage.tsx';
import { type Column, ListRow, ListTable } from './ListTable.tsx';
import { moreOf } from './paging.ts';
import { QueryContent } from './QueryContent.tsx';
import type { RowMenuProps } from './RowMenu.tsx';
import { StaleContent } from './StaleContent.tsx';
import type { Selection } from './useSelection.ts';

type AdminListProps<T> = {
  label: string;
  /** Used in "Couldn’t load {thing}." */
  thing: string;
  /** A list that is read at once has no pages. */
  query: UseInfiniteQueryResult<unknown, Error> | UseQueryResult<unknown, Error>;
  /** The rows of all loaded pages. */
  rows: readonly T[] | undefined;
  columns: readonly Column<T>[];
  /** Without it, the list has no toolbar. */
  tools?: ReactNode;
  /** A filter is set, so the number of results is announced. */
  filtered?: boolean;
  /** More results may follow without a request by the user. */
  searching?: boolean;
  /** Undefined if unknown. */
  total?: number | string | undefined;
  /** Set if rows can be selected. */
  selection?: Selection & { labelAll: string; labelOf: (row: T) => string };
  menus?: { label: string; of: (row: T) => RowMenuProps };
  /** Shown instead of rows. */
  empty: ReactNode;
  /** Beside the shown range. An empty list then has a foot too. */
  foot?: ReactNode;
  /** Dims the rows of the previous filter until the new ones arrive. */
  dims?: boolean;
  scrollRef?: Ref<HTMLElement>;
};

/** A list that loads page by page: toolbar, rows and foot. */
export function AdminList<T extends { id: string | number }>({
  label,
  thing,
  query,
  rows,
  columns,
  tools,
  filtered = false,
  searching = false,
  total,
  selection,
  menus,
  empty,
  foot,
  dims = true,
  scrollRef,
}: AdminListProps<T>) {
  const now = useCurrentMinute();
  const stale = query.isPlaceholderData;
  const more = 'fetchNextPage' in query ? moreOf(query) : undefined;
  const shown = rows?.length ?? 0;

  function tickOf(row: T) {
    const id = String(row.id);
    return (
      selection && {
        label: selection.labelOf(row),
        selected: selection.selected.includes(id),
        onSelect: (on: boolean) => selection.select(id, on),
      }
    );
  }

  return (
    <>
      <ListPanel
        label={label}
        picking={selection !== undefined && selection.selected.length > 0}
        scrollRef={scrollRef}
        tools={tools}
        foot={
          (shown > 0 || foot) && (
            <ListFoot shown={shown} total={total} more={more} thing={thing}>
              {foot}
            </ListFoot>
          )
        }
      >
        <QueryContent query={query} thing={thing}>
          {() => (
            <StaleContent stale={(dims && stale) || (searching && shown === 0)} empty={shown === 0}>
              {shown === 0 ? (
                empty
              ) : (
                <ListTable
                  label={label}
                  columns={columns}
                  ticks={selection && { ...selection.ticks, label: selection.labelAll }}
                  menus={menus?.label}
                >
                  {rows?.map((row) => (
                    <ListRow
                      key={row.id}
                      columns={columns}
                      row={row}
                      now={now}
                      tick={tickOf(row)}
                      menu={menus?.of(row)}
                    />
                  ))}
                </ListTable>
              )}
            </StaleContent>
          )}
        </QueryContent>
      </ListPanel>
      <ResultCount
        count={filtered && !stale && !searching ? rows?.length : undefined}
        more={more !== undefined}
      />
    </>
  );
}
