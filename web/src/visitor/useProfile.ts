import { Brand, defaultBrand } from '@settee/protocol/model/brand';
import { useEffect, useReducer, useState } from 'react';
import * as v from 'valibot';
import { attempt } from '../chat/model/attempt.ts';
import type { Live } from '../net/live.ts';
import type { Connection } from './connection.ts';
import { type Profile, type ProfileEvent, profileReducer } from './profile.ts';

const LISTEN_AFTER_MS = 100;
/** Shorter interruptions are not shown, for example a gateway restart. */
const PATIENCE_MS = 2_000;

/**
 * The public profile and its changes. `follows`: open a socket for it, because the page has no other. `step` is the
 * first part of the page title.
 */
export function useProfile(
  connection: Connection,
  follows: boolean,
  step = '',
): [profile: Profile, hear: (news: ProfileEvent) => void] {
  const [profile, hear] = useReducer(profileReducer, undefined, firstProfile);
  const [listens, setListens] = useState(false);
  const { displayName } = profile.brand;

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
      .api('readBrand', {})
      .then((read) =>
        hear(
          read.ok ? { type: 'read', ...read.answer } : { type: 'readFailed', answered: read.status !== 0 },
        ),
      );
  }, [connection, listens]);
  useEffect(() => {
    if (listens && follows) return follow(connection.line(), hear);
  }, [connection, listens, follows]);

  return [profile, hear];
}

function firstProfile(): Profile {
  return { brand: servedBrand(document.getElementById('app')) ?? defaultBrand, presence: 'checking' };
}

/** Forwards frames, and reports a lost connection. Returns a function that stops it. */
function follow(live: Live, hear: (news: ProfileEvent) => void): () => void {
  let silence: ReturnType<typeof setTimeout> | undefined;
  function listen(): void {
    if (live.status() === 'open') {
      clearTimeout(silence);
      silence = undefined;
    } else {
      silence ??= setTimeout(hear, PATIENCE_MS, { type: 'lineLost' });
    }
  }
  live.onFrame(hear);
  live.onStatus(listen);
  listen();
  return () => {
    live.stop();
    clearTimeout(silence);
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
