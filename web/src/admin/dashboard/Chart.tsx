import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './Chart.module.css';
import type { Bars } from './drawBars.ts';
import type { Series } from './series.ts';

/** A picture of the table, for eyes only. What draws it comes by itself, after the page. */
export function Chart({ series, onFailed }: { series: Series; onFailed: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const bars = useRef<Bars | null>(null);
  const newest = useRef(series);
  const failed = useEffectEvent(onFailed);

  useEffect(() => {
    let left = false;
    import('./drawBars.ts').then(
      ({ drawBars }) => {
        if (left || !place.current) return;
        bars.current = drawBars(place.current, newest.current);
      },
      (error: unknown) => {
        console.error('chart:', error);
        if (!left) failed();
      },
    );
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
