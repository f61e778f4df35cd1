import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import { attempt } from '../chat/model/attempt.ts';
import { Button } from '../ui/Button.tsx';
import styles from './DeviceJoinedNotice.module.css';

type DeviceJoinedNoticeProps = {
  conversationId: string;
  /** When another device last joined. */
  at: number;
  onShow: () => void;
};

/** Shows on the first device that another device joined, until the visitor dismisses it. */
export function DeviceJoinedNotice({ conversationId, at, onShow }: DeviceJoinedNoticeProps) {
  const key = `joined_${conversationId}`;
  const [dismissedAt, setDismissedAt] = useState(() => Number(attempt(() => localStorage.getItem(key)) ?? 0));
  if (at <= dismissedAt) return null;

  function dismiss(): void {
    attempt(() => localStorage.setItem(key, String(at)));
    setDismissedAt(at);
  }
  return (
    <div className={styles.joined} role="status">
      <span className={styles.words}>{deviceTexts.joined}</span>
      <span className={styles.buttons}>
        <Button
          look="bare"
          onClick={() => {
            dismiss();
            onShow();
          }}
        >
          {deviceTexts.showDevices}
        </Button>
        <Button look="bare" onClick={dismiss}>
          {texts.dismiss}
        </Button>
      </span>
    </div>
  );
}
