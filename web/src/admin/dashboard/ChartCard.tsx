import type { Dashboard } from '@settee/protocol/model/dashboard';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useMemo, useState } from 'react';
import { Card } from '../../staff/Card.tsx';
import { Chart } from './Chart.tsx';
import styles from './ChartCard.module.css';
import cards from './cards.module.css';
import { type Series, type Stat, seriesOf, valueText } from './series.ts';

/** The chart of the selected figure, or the same numbers as a table. */
export function ChartCard({ dashboard, stat }: { dashboard: Dashboard; stat: Stat }) {
  const [asTable, setAsTable] = useState(false);
  const series = useMemo(() => seriesOf(stat, dashboard), [stat, dashboard]);
  return (
    <Card
      title={series.title}
      className={`${cards.card} ${styles.card}`}
      aside={
        <>
          {series.columns.length > 1 && !asTable && <Legend columns={series.columns} />}
          <button type="button" className={styles.switch} onClick={() => setAsTable(!asTable)}>
            {asTable ? adminTexts.viewAsChart : adminTexts.viewAsTable}
          </button>
        </>
      }
    >
      {asTable ? (
        <section
          className={styles.scroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label={fillText(texts.tableOf, { figure: series.title })}
        >
          <FigureTable series={series} />
        </section>
      ) : (
        <>
          <Chart series={series} />
          <div className="hidden">
            <FigureTable series={series} />
          </div>
        </>
      )}
    </Card>
  );
}

function Legend({ columns }: { columns: readonly string[] }) {
  return (
    <span className={styles.legend} aria-hidden="true">
      {columns.map((column, n) => (
        <span key={column} data-series={n}>
          {column}
        </span>
      ))}
    </span>
  );
}

function FigureTable({ series: { title, head, columns, rows, unit } }: { series: Series }) {
  return (
    <table className={styles.table}>
      <caption className="hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={styles.amount}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, long, values, current }) => (
          <tr key={key} data-current={current}>
            <th scope="row">{long}</th>
            {values.map((value, column) => (
              <td key={columns[column]} className={styles.amount}>
                {valueText(value, unit)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
