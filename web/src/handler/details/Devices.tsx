import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { useState } from 'react';
import { DeviceList } from '../../chat/DeviceList.tsx';
import { Collapsible } from '../../staff/Collapsible.tsx';
import { useSignedIn } from '../context.ts';
import styles from './DetailsContent.module.css';
import { useDetails } from './useDetails.ts';

type DevicesProps = { conversationId: string; head: number; ready: boolean };

/** The visitor's devices, read when the list is opened. */
export function Devices(props: DevicesProps) {
  const { session } = useSignedIn();
  const { data: details, refetch } = useDetails(props);
  const [open, setOpen] = useState(false);
  const id = props.conversationId;
  return (
    <div className={styles.devices}>
      <Collapsible summary={deviceTexts.devices} onToggle={(event) => setOpen(event.currentTarget.open)}>
        {open && (
          <DeviceList
            version={details?.devices}
            read={async () => (await session.api('readDevices', { params: { id } })).answer?.devices}
            remove={async (deviceId) => {
              const removed = await session.api('removeDevice', { params: { id, deviceId } });
              if (removed.ok) void refetch();
              return removed.ok;
            }}
            mayRemove={() => true}
          />
        )}
      </Collapsible>
    </div>
  );
}
