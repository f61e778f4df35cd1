import { Brand, defaultBrand } from '@settee/protocol/model/brand';
import { useEffect, useReducer, useState } from 'react';
import * as v from 'valibot';
import { attempt } from '../chat/model/attempt.ts';
import type { Live } from '../net/live.ts';
import type { Connection } from './connection.ts';
import { type Profile, type ProfileEvent, profileReducer } from './profile.ts';

const LISTEN_AFTER_MS = 100;
/** A line that is away for less than this is not worth a word: a gateway was restarted, a lift went by. */
const PATIENCE_MS = 2_000;

/**
 * The public profile from the first paint on, and whatever becomes of it. `follows` while the page has no other line:
 * the page of an open conversation hands on what its own line says. The step stands before the name in the title.
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

/** Hands on what the line says, and that it says nothing. Returns the way to end it. */
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

/** The public profile as the server put it into the page, so that nobody waits for a call to see whose chat it is. */
function servedBrand(app: HTMLElement | null): Brand | undefined {
  const served = v.safeParse(
    Brand,
    attempt((): unknown => JSON.parse(app?.dataset.brand ?? '')),
  );
  return served.success ? served.output : undefined;
}
