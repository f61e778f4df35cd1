import { Brand, defaultBrand } from '@settee/protocol/model/brand';
import { useEffect, useReducer, useState } from 'react';
import * as v from 'valibot';
import { attempt } from '../chat/model/attempt.ts';
import type { Live } from '../net/live.ts';
import type { Connection } from './connection.ts';
import { type Profile, type ProfileEvent, profileReducer } from './profile.ts';

const LISTEN_AFTER_MS = 100;
/** Shorter interruptions are not shown, for example a gateway restart. */
const LOST_AFTER_MS = 2_000;

/**
 * The public profile and its changes. `follows`: open a socket for it, because the page has no other. `step` is the
 * first part of the page title.
 */
export function useProfile(
  connection: Connection,
  follows: boolean,
  step = '',
): [profile: Profile, update: (event: ProfileEvent) => void] {
  const [profile, update] = useReducer(profileReducer, undefined, firstProfile);
  const [listens, setListens] = useState(false);
  const { displayName } = profile.brand;
  useEffect(() => {
    connection.shown = profile.brand;
  }, [connection, profile.brand]);
  // Not whenever the profile is read again: the title of an open chat belongs to its bell.
  useEffect(() => {
    document.title = step ? `${step} · ${displayName}` : displayName;
  }, [step, displayName]);
  useEffect(() => {
    const timer = setTimeout(setListens, LISTEN_AFTER_MS, true);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!listens) return;
    void connection
      .api('readBrand', { query: connection.token ? { invite: connection.token } : {} })
      .then((read) =>
        update(
          read.ok ? { type: 'read', ...read.answer } : { type: 'readFailed', answered: read.status !== 0 },
        ),
      );
  }, [connection, listens]);
  useEffect(() => {
    if (listens && follows) return follow(connection.line(), update);
  }, [connection, listens, follows]);

  return [profile, update];
}

function firstProfile(): Profile {
  return { brand: servedBrand(document.getElementById('app')) ?? defaultBrand, presence: 'checking' };
}

/** Forwards frames, and reports a lost connection. Returns a function that stops it. */
function follow(live: Live, update: (event: ProfileEvent) => void): () => void {
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  function checkStatus(): void {
    if (live.status() === 'open') {
      clearTimeout(lostTimer);
      lostTimer = undefined;
    } else {
      lostTimer ??= setTimeout(update, LOST_AFTER_MS, { type: 'lineLost' });
    }
  }
  live.onFrame(update);
  live.onStatus(checkStatus);
  checkStatus();
  return () => {
    live.stop();
    clearTimeout(lostTimer);
  };
}

/** The profile that the server embedded in the page, so that no call is needed. */
function servedBrand(app: HTMLElement | null): Brand | undefined {
  const served = v.safeParse(
    Brand,
    attempt((): unknown => JSON.parse(app?.dataset.brand ?? '')),
  );
  return served.success ? served.output : undefined;
}
