import { useEffect, useState } from 'react';
import styles from './QrCode.module.css';
import type * as Drawing from './qr.ts';
import type { Qr } from './qr.ts';

type QrCodeProps = {
  link: string;
  label: string;
  /** Shown if drawing fails. */
  failed: string;
};

/** A QR code. Its space is reserved while it loads. */
export function QrCode({ link, label, failed }: QrCodeProps) {
  const [qr, setQr] = useState<Qr | 'failed' | null>(null);
  useEffect(() => {
    let wanted = true;
    loadQr()
      .then(({ drawQr }) => wanted && setQr(drawQr(link)))
      .catch((error: unknown) => {
        console.error('qr:', error);
        if (wanted) setQr('failed');
      });
    return () => {
      wanted = false;
    };
  }, [link]);
  return (
    <div className={styles.code}>
      {qr === 'failed' && <p role="alert">{failed}</p>}
      {qr && qr !== 'failed' && (
        <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={label} shapeRendering="crispEdges">
          <path d={qr.path} />
        </svg>
      )}
    </div>
  );
}

/** Loaded on demand. */
export function loadQr(): Promise<typeof Drawing> {
  return import('./qr.ts');
}
