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

/** Tells the first device that another device joined, until the visitor dismisses it. */
export function DeviceJoinedNotice({ conversationId, at, onShow }: DeviceJoinedNoticeProps) {
  const key = `joined_${conversationId}`;
  const [told, setTold] = useState(() => Number(attempt(() => localStorage.getItem(key)) ?? 0));
  if (at <= told) return null;

  function done(): void {
    attempt(() => localStorage.setItem(key, String(at)));
    setTold(at);
  }
  return (
    <div className={styles.joined} role="status">
      <span>{deviceTexts.joined}</span>
      <Button
        look="bare"
        onClick={() => {
          done();
          onShow();
        }}
      >
        {deviceTexts.showDevices}
      </Button>
      <Button look="bare" onClick={done}>
        {texts.dismiss}
      </Button>
    </div>
  );
}
