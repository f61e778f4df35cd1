import type { Device } from '@settee/protocol/calls/deviceCalls';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { dateAndTime } from '../browser/dateAndTime.ts';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { Hidden } from '../ui/Hidden.tsx';
import { browserText } from './browserText.ts';
import styles from './DeviceList.module.css';

type DeviceListProps = {
  /** Undefined if the call failed. */
  read: () => Promise<readonly Device[] | undefined>;
  /** Resolves to whether it was removed. */
  remove: (id: string) => Promise<boolean>;
  mayRemove: (device: Device) => boolean;
  /** The list reloads when this changes. */
  version: unknown;
};

export function DeviceList({ read, remove, mayRemove, version }: DeviceListProps) {
  const [devices, setDevices] = useState<readonly Device[]>();
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  /** The device whose removal needs confirmation. */
  const [asked, setAsked] = useState<string | null>(null);

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
    setAnnouncement('');
    const removed = await remove(id);
    setBusy(null);
    setAsked(null);
    if (!removed) return setFailed(deviceTexts.removeFailed);
    setDevices((known) => known?.filter((device) => device.id !== id));
    setAnnouncement(deviceTexts.removed);
  }

  return (
    <>
      {!devices && !failed && <p className={styles.loading}>{deviceTexts.loading}</p>}
      {devices && (
        <ul className={styles.list}>
          {devices.map((device) => {
            const name = browserText(device.browser);
            const time = dateAndTime(device.joinedAt, Date.now());
            return (
              <li key={device.id} className={styles.device}>
                <div className={styles.words}>
                  <b>{name}</b>
                  <span>
                    {[
                      device.current && deviceTexts.thisDevice,
                      device.first && deviceTexts.firstDevice,
                      fillText(deviceTexts.joinedAt, { time }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </div>
                {mayRemove(device) && (
                  <RemoveDevice
                    label={fillText(deviceTexts.removeOf, { browser: name, time })}
                    asked={asked === device.id}
                    busy={busy !== null}
                    onAsk={(asks) => setAsked(asks ? device.id : null)}
                    onRemove={() => void onRemove(device)}
                  />
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
        <Hidden>{announcement}</Hidden>
      </div>
    </>
  );
}

type RemoveDeviceProps = {
  label: string;
  asked: boolean;
  busy: boolean;
  onAsk: (asks: boolean) => void;
  onRemove: () => void;
};

/** Asks for confirmation. Cancel takes the place of the first button, so a double click removes nothing. */
function RemoveDevice({ label, asked, busy, onAsk, onRemove }: RemoveDeviceProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (asked || wasAsked.current) button.current?.focus();
    wasAsked.current = asked;
  }, [asked]);

  if (!asked) {
    return (
      <Button
        ref={button}
        look="outline"
        danger
        className={styles.remove}
        aria-label={label}
        aria-disabled={busy}
        onClick={() => !busy && onAsk(true)}
      >
        {deviceTexts.remove}
      </Button>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={styles.question} role="group" aria-label={label}>
      <span>{deviceTexts.removeAsk}</span>
      <Button danger aria-disabled={busy} onClick={onRemove}>
        {deviceTexts.remove}
      </Button>
      <Button ref={button} look="outline" onClick={() => onAsk(false)}>
        {deviceTexts.keep}
      </Button>
    </div>
  );
}
