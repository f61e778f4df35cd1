import { accountTexts } from '@settee/protocol/accountTexts';
import { useEffect, useState } from 'react';
import styles from './QrCode.module.css';

/** Modules of white around it, without which cameras do not find it. */
const QUIET_ZONE = 4;

/** Dark on white in every theme: many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | 'failed' | null>(null);

  useEffect(() => {
    let here = true;
    import('uqr')
      .then(({ encode }) => {
        const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
        if (here) setDrawn({ size, path: pathOf(data) });
      })
      .catch((error: unknown) => {
        console.error('qr:', error);
        if (here) setDrawn('failed');
      });
    return () => {
      here = false;
    };
  }, [text]);

  return (
    <div className={styles.frame}>
      {drawn === 'failed' && <p role="alert">{accountTexts.totpQrFailed}</p>}
      {drawn && drawn !== 'failed' && (
        <svg
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          role="img"
          aria-label={label}
          shapeRendering="crispEdges"
        >
          <path d={drawn.path} />
        </svg>
      )}
    </div>
  );
}

/** One rectangle for every run of dark modules in a row. */
function pathOf(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) =>
      row.map((dark, x) => {
        if (!dark || row[x - 1]) return '';
        const end = row.indexOf(false, x);
        const width = (end < 0 ? row.length : end) - x;
        return `M${x} ${y}h${width}v1h-${width}z`;
      }),
    )
    .join('');
}
