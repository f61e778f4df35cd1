import type { ReactNode } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import styles from './ListTable.module.css';

/** `from`: shown only where there is room, in a medium (m) or a large (l) list. Without a width it shares the rest. */
export type Column = {
  text: string;
  width?: number;
  from?: 'm' | 'l';
  number?: boolean;
  /** On a card: a line of its own, the upper corner, with its name before it, or not at all. */
  line?: 'whole' | 'corner' | 'named' | 'none';
};

type ListTableProps = {
  label: string;
  columns: readonly Column[];
  /** Rows can be selected: how many are, of how many. */
  ticks?: { label: string; selected: number; shown: number; onAll: (selected: boolean) => void };
  /** Rows have a menu: what its column is called. */
  menus?: string;
  children: ReactNode;
};

/** A table where there is room; on a phone each row is a card. */
export function ListTable({ label, columns, ticks, menus, children }: ListTableProps) {
  return (
    <table className={styles.table} aria-label={label} data-ticks={ticks !== undefined}>
      <thead>
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
                <span className={styles.pickAll}>{ticks.label}</span>
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

type ListRowProps = {
  columns: readonly Column[];
  /** One for each column; the first names the row. */
  cells: readonly ReactNode[];
  /** It is read beside the list. */
  open?: boolean;
  tick?: { label: string; selected: boolean; onSelect: (selected: boolean) => void };
  menu?: ReactNode;
};

export function ListRow({ columns, cells, open = false, tick, menu }: ListRowProps) {
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
      {columns.map(({ text, from, number, line }, index) =>
        index === 0 ? (
          <th key={text} scope="row">
            {cells[0]}
          </th>
        ) : (
          <td
            key={text}
            className={number ? styles.number : undefined}
            data-from={from}
            data-line={line}
            data-word={text}
          >
            {cells[index]}
          </td>
        ),
      )}
      {menu !== undefined && <td className={styles.menuCell}>{menu}</td>}
    </tr>
  );
}
