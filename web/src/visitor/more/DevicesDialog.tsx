import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { DeviceList } from '../../chat/DeviceList.tsx';
import type { VisitorApi } from '../connection.ts';
import styles from './VisitorDialog.module.css';
import { VisitorDialog } from './VisitorDialog.tsx';

type DevicesDialogProps = {
  conversationId: string;
  api: VisitorApi;
  /** When another device last joined. The list reloads when it changes. */
  joinedAt: number | null;
  onClose: () => void;
};

export function DevicesDialog({ conversationId, api, joinedAt, onClose }: DevicesDialogProps) {
  return (
    <VisitorDialog
      title={deviceTexts.devices}
      note={deviceTexts.devicesNote}
      closeLabel={deviceTexts.done}
      onClose={onClose}
    >
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
    </VisitorDialog>
  );
}
