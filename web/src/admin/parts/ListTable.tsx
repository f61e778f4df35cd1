import type { ReactNode } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import styles from './ListTable.module.css';
import { RowMenu, type RowMenuProps } from './RowMenu.tsx';

/** `from`: the smallest list size that shows the column. Columns without a width share the rest. */
export type Column<T> = {
  text: string;
  cell: (row: T, now: number) => ReactNode;
  width?: number;
  from?: 'm' | 'l';
  number?: boolean;
  /** On a card: a full line, the upper corner, with its name, or hidden. */
  line?: 'whole' | 'corner' | 'named' | 'none';
};

type ListTableProps<T> = {
  label: string;
  columns: readonly Column<T>[];
  /** Set if rows can be selected. */
  ticks?: { label: string; selected: number; shown: number; onAll: (selected: boolean) => void } | undefined;
  /** Header of the menu column. */
  menus?: string | undefined;
  children: ReactNode;
};

/** A table, or cards on a phone. */
export function ListTable<T>({ label, columns, ticks, menus, children }: ListTableProps<T>) {
  return (
    <table className={styles.table} aria-label={label} data-ticks={ticks !== undefined}>
      <thead className="hidden-narrow">
        <tr>
          {ticks && (
            <th scope="col" className={styles.tickCell}>
              <label className={styles.tick}>
                <input
                  type="checkbox"
                  checked={ticks.shown > 0 && ticks.selected === ticks.shown}
                  ref={(box) => {
                    if (box) box.indeterminate = ticks.selected > 0 && ticks.selected < ticks.shown;
                  }}
                  onChange={(event) => ticks.onAll(event.target.checked)}
                />
                <span className="hidden">{ticks.label}</span>
              </label>
            </th>
          )}
          {columns.map(({ text, width, from, number }) => (
            <th
              key={text}
              scope="col"
              className={number ? styles.number : undefined}
              data-from={from}
              style={width === undefined ? undefined : { inlineSize: width }}
            >
              {text}
            </th>
          ))}
          {menus !== undefined && (
            <th scope="col" className={styles.menuCell}>
              <Hidden>{menus}</Hidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type ListRowProps<T> = {
  /** The first one names the row. */
  columns: readonly Column<T>[];
  row: T;
  now: number;
  /** This row's conversation is open. */
  open?: boolean;
  tick?: { label: string; selected: boolean; onSelect: (selected: boolean) => void } | undefined;
  menu?: RowMenuProps | undefined;
};

export function ListRow<T>({ columns, row, now, open = false, tick, menu }: ListRowProps<T>) {
  return (
    <tr
      className={styles.row}
      data-selected={tick?.selected ?? false}
      data-open={open}
      data-menu={menu !== undefined}
    >
      {tick && (
        <td className={styles.tickCell}>
          <label className={styles.tick}>
            <input
              type="checkbox"
              aria-label={tick.label}
              checked={tick.selected}
              onChange={(event) => tick.onSelect(event.target.checked)}
            />
          </label>
        </td>
      )}
      {columns.map(({ text, cell, from, number, line }, index) =>
        index === 0 ? (
          <th key={text} scope="row">
            {cell(row, now)}
          </th>
        ) : (
          <td
            key={text}
            className={number ? styles.number : undefined}
            data-from={from}
            data-line={line}
            data-word={text}
          >
            {cell(row, now)}
          </td>
        ),
      )}
      {menu && <td className={styles.menuCell}>{menu.items.length > 0 && <RowMenu {...menu} />}</td>}
    </tr>
  );
}
