import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { Bars } from './Bars.tsx';
import styles from './Chart.module.css';
import { MARGIN } from './scale.ts';
import { type Series, valueText } from './series.ts';

/** A slider above the bars selects a day by pointer, touch or arrow keys and announces its values. */
export function Chart({ series }: { series: Series }) {
  const [at, setAt] = useState<number | null>(null);
  const { rows, title } = series;
  const last = rows.length - 1;
  const current = rows.findIndex((row) => row.current);
  const resting = current === -1 ? last : current;
  const shown = at === null ? undefined : rows[at];
  const to = (day: number, from: 'left' | 'right') => edge(day, rows.length, from);

  function point(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * rows.length))));
  }

  function move(event: KeyboardEvent): void {
    const from = at ?? resting;
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape' && at !== null) setAt(null);
    else if (next !== undefined) setAt(Math.min(last, Math.max(0, next)));
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles.chart}>
      {at !== null && shown && (
        <div className={styles.band} style={{ left: to(at, 'left'), right: to(at + 1, 'right') }} />
      )}
      <Bars series={series} />
      {at !== null && shown && (
        <>
          <div className={styles.dim} style={{ left: MARGIN.left, right: to(at, 'right') }} />
          <div className={styles.dim} style={{ left: to(at + 1, 'left'), right: MARGIN.right }} />
          <Values series={series} at={at} />
        </>
      )}
      <div
        className={styles.slider}
        style={{ left: MARGIN.left, right: MARGIN.right }}
        role="slider"
        tabIndex={0}
        aria-label={fillText(texts.chartOf, { figure: title })}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? resting}
        aria-valuetext={dayText(series, at ?? resting)}
        onFocus={(event) => {
          // Pointers select the day themselves.
          if (event.currentTarget.matches(':focus-visible')) setAt((before) => before ?? resting);
        }}
        onBlur={() => setAt(null)}
        onKeyDown={move}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={(event) => {
          if (event.pointerType === 'mouse') setAt(null);
        }}
      />
    </div>
  );
}

/** Placed towards the middle, so that it does not cover its own bars. */
function Values({ series: { rows, columns, unit }, at }: { series: Series; at: number }) {
  const row = rows[at];
  const place =
    at < (rows.length - 1) / 2
      ? { left: edge(at + 1, rows.length, 'left') }
      : { right: edge(at, rows.length, 'right') };
  return (
    <div className={styles.values} style={place} aria-hidden="true">
      <b>{row?.full}</b>
      <dl>
        {columns.map((column, n) => (
          <div key={column}>
            <dt data-series={columns.length > 1 ? n : undefined}>{column}</dt>
            <dd>{valueText(row?.values[n] ?? null, unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function dayText({ rows, columns, unit }: Series, at: number): string {
  const row = rows[at];
  if (row === undefined) return texts.none;
  const values = columns.map((figure, n) =>
    fillText(texts.figureValue, { figure, value: valueText(row.values[n] ?? null, unit) }),
  );
  return fillText(texts.dayValues, { day: row.full, values: listText(values) });
}

/** Distance of the edge between two days from the side. */
function edge(day: number, count: number, from: 'left' | 'right'): string {
  const share = from === 'left' ? day / count : 1 - day / count;
  return `calc(${MARGIN[from]}px + (100% - ${MARGIN.left + MARGIN.right}px) * ${share})`;
}
