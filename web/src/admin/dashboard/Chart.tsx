import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import styles from './Chart.module.css';
import { linesFor, MARGIN, timeLine } from './scale.ts';
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

/** Sizes in CSS pixels. */
const BAR = 24;
const GAP = 4;
const RADIUS = 6;
/** Maximum part of a slot that its bars fill. */
const FILLED = 0.62;
const TOP = 14;
const BOTTOM = 26;
/** In rem, because labels follow the text size of the browser. */
const LABEL_ROOM = 3.25;
/** Half of the outline of the second bars. */
const INSET = 0.75;

/** The bars, with grid lines and labels. The width decides how many labels fit. */
function Bars({ series }: { series: Series }) {
  const place = useRef<SVGSVGElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const svg = place.current;
    if (!svg) return;
    const measure = () => setSize({ width: svg.clientWidth, height: svg.clientHeight });
    // Before the first paint, so that no frame is empty.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(svg);
    return () => observer.disconnect();
  }, []);
  return (
    <svg ref={place} className={styles.bars} aria-hidden="true" data-chart>
      {width > 0 && <Drawing series={series} width={width} height={height} />}
    </svg>
  );
}

function Drawing({ series, width, height }: { series: Series; width: number; height: number }) {
  const { rows, columns, unit } = series;
  const highest = Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const lines = linesFor(highest, unit);
  const base = Math.round(height - BOTTOM);
  const yOf = (value: number) => Math.round(base - (value / (lines.at(-1) ?? 1)) * (base - TOP));
  const right = width - MARGIN.right;
  const slot = (right - MARGIN.left) / Math.max(1, rows.length);
  const middle = (n: number) => MARGIN.left + (n + 0.5) * slot;
  const bar = Math.min(BAR, (slot * FILLED) / columns.length);
  const gap = Math.min(GAP, bar / 4);
  const pair = columns.length * (bar + gap) - gap;
  const left = (n: number, column: number) => Math.round(middle(n) - pair / 2 + column * (bar + gap));
  // As many labels as fit, counted back from the current or last one.
  const now = rows.findIndex(({ current }) => current);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const every = Math.max(1, Math.ceil((LABEL_ROOM * rem) / slot));
  const anchor = now === -1 ? rows.length - 1 : now;
  const top = rows.findIndex(({ values }) => values.includes(highest));
  const topColumn = rows[top]?.values.indexOf(highest) ?? 0;
  return (
    <>
      {lines.map((value) => (
        <g key={value}>
          <path className={styles.line} d={`M${MARGIN.left} ${yOf(value) + 0.5}H${right}`} />
          <text className={styles.scale} x={MARGIN.left - 8} y={yOf(value)}>
            {unit === 'ms' ? timeLine(value) : valueText(value, unit)}
          </text>
        </g>
      ))}
      {rows.map(({ key, values }, n) =>
        columns.map((name, column) => {
          const value = values[column];
          // Zero has no bar, not even an outline.
          if (!value) return null;
          const inset = column === 1 ? INSET : 0;
          const x = left(n, column) + inset;
          const wide = Math.round(bar) - 2 * inset;
          const y = yOf(value) + inset;
          const r = Math.min(RADIUS, wide / 2, base - y);
          const corner = `a${r} ${r} 0 0 1`;
          const d = `M${x} ${base}V${y + r}${corner} ${r} ${-r}h${wide - 2 * r}${corner} ${r} ${r}V${base}`;
          return <path key={`${key} ${name}`} data-series={column} d={d} />;
        }),
      )}
      <path className={styles.base} d={`M${MARGIN.left} ${base}H${right}`} />
      {rows.map(
        ({ key, label, current }, n) =>
          (anchor - n) % every === 0 && (
            <text key={key} data-bold={current} x={middle(n)} y={base + 19}>
              {label}
            </text>
          ),
      )}
      {highest > 0 && (
        <text data-bold="true" x={left(top, topColumn) + bar / 2} y={yOf(highest) - 6}>
          {valueText(highest, unit)}
        </text>
      )}
    </>
  );
}
