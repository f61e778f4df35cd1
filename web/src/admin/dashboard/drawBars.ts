import uPlot from 'uplot';
import { linesFor, MARGIN, timeLine } from './scale.ts';
import { type Series, valueText } from './series.ts';

/** Sizes in CSS pixels. */
const BAR = 24;
const GAP = 4;
const RADIUS = 6;
/** Maximum part of a slot that its bars fill. */
const FILLED = 0.62;
const TOP = 26;
const BOTTOM = 26;
const LABEL_ROOM = 52;

/** Colours in forced-colors mode. */
const FORCED: Record<string, string> = {
  '--brand': 'CanvasText',
  '--brand-soft': 'Canvas',
  '--ink': 'CanvasText',
  '--ink-3': 'CanvasText',
  '--line': 'GrayText',
};

export type Bars = { draw(series: Series): void; stop(): void };

/** Draws bars on a canvas, in the current theme. */
export function drawBars(place: HTMLElement, first: Series): Bars {
  let series = first;
  let plot = make();

  function make(): uPlot {
    return new uPlot(optionsOf(series, place), dataOf(series), place);
  }
  function again(): void {
    plot.destroy();
    plot = make();
  }
  const resized = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = place;
    // The layout depends on the width, so resizing alone would stretch the bars.
    if (clientWidth !== plot.width || clientHeight !== plot.height) again();
  });
  resized.observe(place);
  const themed = new MutationObserver(again);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', again);
  // Labels drawn before the font loads would keep the fallback font.
  let stopped = false;
  void document.fonts.ready.then(() => {
    if (!stopped) again();
  });

  return {
    draw(next) {
      series = next;
      again();
    },
    stop() {
      stopped = true;
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', again);
      plot.destroy();
    },
  };
}

/** Zero draws no bar, not even an outline. */
function dataOf({ rows, columns }: Series): uPlot.AlignedData {
  return [
    rows.map((_, n) => n),
    ...columns.map((_, column) => rows.map((row) => row.values[column] || null)),
  ];
}

/**
 * A token's colour in the current theme. The property itself contains both themes, so a new element resolves it. On an
 * existing element a transition could return the previous colour.
 */
function tokenColour(place: HTMLElement, name: string): string {
  const element = document.createElement('span');
  element.style.color = `var(${name})`;
  place.append(element);
  const { color } = getComputedStyle(element);
  element.remove();
  return color;
}

function optionsOf(series: Series, place: HTMLElement): uPlot.Options {
  const { rows, columns, unit } = series;
  const { clientWidth: width, clientHeight: height } = place;
  const style = getComputedStyle(document.documentElement);
  const forced = matchMedia('(forced-colors: active)').matches;
  const colour = (name: string) => (forced && FORCED[name]) || tokenColour(place, name);
  const highest = Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const lines = linesFor(highest, unit);
  const plotWidth = Math.max(1, width - MARGIN.left - MARGIN.right);
  // Without rows there is one empty slot. With an empty range, uPlot would never find its grid lines.
  const slots = Math.max(1, rows.length);
  const slot = plotWidth / slots;
  const bar = Math.min(BAR, (slot * FILLED) / columns.length);
  const gap = Math.min(GAP, bar / 4);
  const pair = columns.length * bar + (columns.length - 1) * gap;
  const fonts = {
    plain: `500 11px ${style.getPropertyValue('--font-ui')}`,
    bold: `700 11px ${style.getPropertyValue('--font-ui')}`,
  };

  return {
    width,
    height,
    padding: [TOP - 12, MARGIN.right, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: [-0.5, slots - 0.5] },
      y: { range: [0, lines.at(-1) ?? 1] },
    },
    axes: [
      { size: BOTTOM, ticks: { show: false }, grid: { show: false }, values: () => [] },
      {
        size: MARGIN.left,
        gap: 8,
        font: fonts.plain,
        stroke: colour('--ink-3'),
        ticks: { show: false },
        grid: { stroke: colour('--line'), width: 1, dash: [2, 4] },
        splits: () => lines,
        values: (_, splits) =>
          splits.map((value) => (unit === 'ms' ? timeLine(value) : valueText(value, unit))),
      },
    ],
    series: [
      {},
      ...columns.map((_, column): uPlot.Series => {
        const soft = columns.length > 1 && column === 1;
        return {
          fill: soft ? colour('--brand-soft') : colour('--brand'),
          stroke: colour('--brand'),
          width: soft ? 1.5 : 0,
          points: { show: false },
          paths: uPlot.paths.bars?.({
            radius: [Math.min(0.5, RADIUS / bar), 0],
            disp: {
              x0: {
                unit: 2,
                values: () =>
                  rows.map((_row, n) => ((n + 0.5) * slot - pair / 2 + column * (bar + gap)) / plotWidth),
              },
              size: { unit: 2, values: () => rows.map(() => bar / plotWidth) },
            },
          }) as uPlot.Series.PathBuilder,
        };
      }),
    ],
    hooks: {
      draw: [
        (plot) => {
          drawBase(plot, colour('--line'));
          drawLabels(plot, series, { fonts, slot, plain: colour('--ink-3'), bold: colour('--ink') });
          drawHighest(plot, series, {
            highest,
            font: fonts.bold,
            colour: colour('--ink'),
            slot,
            pair,
            bar,
            gap,
          });
        },
      ],
    },
  };
}

function drawBase({ ctx, bbox }: uPlot, colour: string): void {
  ctx.fillStyle = colour;
  // Covers the lower edge of outlined bars, so that all bars stand on the line.
  const thick = 1.5 * uPlot.pxRatio;
  ctx.fillRect(bbox.left, bbox.top + bbox.height - thick / 2, bbox.width, thick);
}

type LabelLook = { fonts: { plain: string; bold: string }; slot: number; plain: string; bold: string };

/** As many labels as fit, counted back from the current or last one. */
function drawLabels({ ctx, bbox }: uPlot, { rows }: Series, look: LabelLook): void {
  const scale = uPlot.pxRatio;
  const now = rows.findIndex(({ current }) => current);
  const every = Math.max(1, Math.ceil(LABEL_ROOM / look.slot));
  const anchor = now === -1 ? rows.length - 1 : now;
  ctx.save();
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  for (const [n, { label, current }] of rows.entries()) {
    if ((anchor - n) % every !== 0) continue;
    ctx.font = scaled(current ? look.fonts.bold : look.fonts.plain, scale);
    ctx.fillStyle = current ? look.bold : look.plain;
    ctx.fillText(label, bbox.left + (n + 0.5) * look.slot * scale, bbox.top + bbox.height + 19 * scale);
  }
  ctx.restore();
}

type HighestLook = {
  highest: number;
  font: string;
  colour: string;
  slot: number;
  pair: number;
  bar: number;
  gap: number;
};

function drawHighest(plot: uPlot, { rows, unit }: Series, look: HighestLook): void {
  if (look.highest === 0) return;
  const scale = uPlot.pxRatio;
  const { ctx, bbox } = plot;
  const index = rows.findIndex(({ values }) => values.includes(look.highest));
  const column = rows[index]?.values.indexOf(look.highest) ?? 0;
  const middle = (index + 0.5) * look.slot - look.pair / 2 + column * (look.bar + look.gap) + look.bar / 2;
  ctx.save();
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  ctx.font = scaled(look.font, scale);
  ctx.fillStyle = look.colour;
  ctx.fillText(
    valueText(look.highest, unit),
    bbox.left + middle * scale,
    plot.valToPos(look.highest, 'y', true) - 6 * scale,
  );
  ctx.restore();
}

/** uPlot draws in device pixels. */
function scaled(font: string, scale: number): string {
  return font.replace('11px', `${11 * scale}px`);
}
