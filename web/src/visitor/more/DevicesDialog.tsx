import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { useEffect, useRef } from 'react';
import { DeviceList } from '../../chat/DeviceList.tsx';
import { Button } from '../../ui/Button.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import type { VisitorApi } from '../connection.ts';
import dialogs from './ChangeName.module.css';
import styles from './DevicesDialog.module.css';
import question from './Question.module.css';

type DevicesProps = {
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
  useHistoryOverlay(() => dialog.current?.close());
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
