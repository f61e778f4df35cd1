import type { Device } from '@settee/protocol/deviceCalls';
import { deviceTexts } from '@settee/protocol/deviceTexts';
import { fillText } from '@settee/protocol/fillText';
import { texts } from '@settee/protocol/texts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { Hidden } from '../ui/Hidden.tsx';
import styles from './DeviceList.module.css';

type DeviceListProps = {
  /** Undefined when it could not be read. */
  read: () => Promise<readonly Device[] | undefined>;
  /** Answers whether it was removed. */
  remove: (id: string) => Promise<boolean>;
  mayRemove: (device: Device) => boolean;
  /** The list is read again when this changes. */
  version: unknown;
};

/** The devices of a conversation: which browser, when it joined, and a way to remove it. */
export function DeviceList({ read, remove, mayRemove, version }: DeviceListProps) {
  const [devices, setDevices] = useState<readonly Device[]>();
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState('');

  async function load(isStale: () => boolean): Promise<void> {
    const found = await read();
    if (isStale()) return;
    if (found) setDevices(found);
    setFailed(found ? null : deviceTexts.loadFailed);
  }
  const loadFor = useEffectEvent((_version: unknown, isStale: () => boolean) => load(isStale));
  useEffect(() => {
    let stale = false;
    void loadFor(version, () => stale);
    return () => {
      stale = true;
    };
  }, [version]);

  async function onRemove({ id }: Device): Promise<void> {
    if (busy !== null) return;
    setBusy(id);
    setFailed(null);
    setSaid('');
    const removed = await remove(id);
    setBusy(null);
    if (!removed) return setFailed(deviceTexts.removeFailed);
    setDevices((known) => known?.filter((device) => device.id !== id));
    setSaid(deviceTexts.removed);
  }

  return (
    <>
      {!devices && !failed && <p className={styles.loading}>{deviceTexts.loading}</p>}
      {devices && (
        <ul className={styles.list}>
          {devices.map((device) => {
            const name = device.browser || deviceTexts.unknownBrowser;
            return (
              <li key={device.id} className={styles.device}>
                <div className={styles.words}>
                  <b>{name}</b>
                  <span>
                    {[
                      device.current && deviceTexts.thisDevice,
                      device.first && deviceTexts.firstDevice,
                      fillText(deviceTexts.joinedAt, { time: timeOf(device.joinedAt) }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </div>
                {mayRemove(device) && (
                  <Button
                    look="outline"
                    danger
                    className={styles.remove}
                    aria-label={fillText(deviceTexts.removeOf, { browser: name })}
                    aria-disabled={busy !== null}
                    onClick={() => void onRemove(device)}
                  >
                    {deviceTexts.remove}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <FieldError text={failed} />
      {failed && !devices && (
        <Button look="outline" onClick={() => void load(() => false)}>
          {texts.tryAgain}
        </Button>
      )}
      <div aria-live="polite">
        <Hidden>{said}</Hidden>
      </div>
    </>
  );
}

function timeOf(at: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
