import { useEffect, useRef } from 'react';
import styles from './Chart.module.css';
import type { Bars } from './drawBars.ts';
import type { Series } from './series.ts';

/** A picture of the table, for eyes only. What draws it comes by itself, after the page. */
export function Chart({ series }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  const bars = useRef<Bars | null>(null);
  const newest = useRef(series);

  useEffect(() => {
    let left = false;
    void import('./drawBars.ts').then(({ drawBars }) => {
      if (left || !place.current) return;
      bars.current = drawBars(place.current, newest.current);
    });
    return () => {
      left = true;
      bars.current?.stop();
      bars.current = null;
    };
  }, []);
  useEffect(() => {
    newest.current = series;
    bars.current?.draw(series);
  }, [series]);

  return <div ref={place} className={styles.chart} aria-hidden="true" />;
}
