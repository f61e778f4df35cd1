import { deviceTexts } from '@settee/protocol/deviceTexts';
import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { attempt } from '../../chat/attempt.ts';
import { DeviceList } from '../../chat/DeviceList.tsx';
import { Button } from '../../ui/Button.tsx';
import type { VisitorApi } from '../connection.ts';
import dialogs from './ChangeName.module.css';
import styles from './Devices.module.css';
import question from './Question.module.css';

export type JoinedProps = {
  conversationId: string;
  /** When another device last joined. */
  at: number;
  onShow: () => void;
};

/** Tells the first device that another one joined, until it was told: also after it was away. */
export function Joined({ conversationId, at, onShow }: JoinedProps) {
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

export type DevicesProps = {
  conversationId: string;
  api: VisitorApi;
  /** When another device last joined: the list is read again when that changes. */
  joinedAt: number | null;
  onClose: () => void;
};

export function DevicesDialog({ conversationId, api, joinedAt, onClose }: DevicesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    close.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} className={dialogs.dialog} aria-labelledby="devices" onClose={onClose}>
      <h2 id="devices" className={dialogs.heading}>
        {deviceTexts.devices}
      </h2>
      <p className={question.note}>{deviceTexts.devicesNote}</p>
      <div className={styles.list}>
        <DeviceList
          version={joinedAt}
          read={async () => (await api('readDevices', { params: { id: conversationId } })).answer?.devices}
          remove={async (deviceId) =>
            (await api('removeDevice', { params: { id: conversationId, deviceId } })).ok
          }
          mayRemove={({ current, first }) => !current && !first}
        />
      </div>
      <Button ref={close} look="quiet" onClick={() => dialog.current?.close()}>
        {deviceTexts.done}
      </Button>
    </dialog>
  );
}
