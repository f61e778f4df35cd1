import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_UNAUTHENTICATED,
  CloseReason,
  type Down,
} from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import * as v from 'valibot';
import { createEmitter } from '../browser/createStore.ts';
import { backOffDelay } from './backOff.ts';
import type { Clock } from './clock.ts';

const PING_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;
/** The time for an answer when there is reason to doubt the line. A slow line gets twice its usual time. */
const PROBE_WITHIN_MS = 2_500;
/** A timer this late means that the machine slept. */
const SLEPT_MS = 5_000;
const HEALTHY_AFTER_MS = 10_000;
const RENEW_BEFORE_END_MS = 5 * 60_000;

/** The part of a browser's WebSocket that is used; `ws` and Node's own have it too. */
export type Socket = {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
};

export type IdToken = { idToken: string; expiresAt: number };

export type LiveParts = {
  /** What this page can be told: a visitor's frames or the staff's. */
  frames: v.GenericSchema<unknown, Down>;
  openSocket: () => Socket;
  clock: Clock;
  random: () => number;
  /** The caller's ID token; `fresh` after the server refused the last one. Failing means: no line for now. */
  token: (fresh: boolean) => Promise<IdToken>;
  /** A page of the admin area: see Hello. */
  manages?: boolean;
  /** Tells when to check the line: `wake` when the network or the page is back, `offline` when the network is gone. */
  onDoubt?: (doubt: { wake: () => void; offline: () => void }) => () => void;
};

export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'ended';

export type Live = {
  status(): LiveStatus;
  /** The network is gone, or a probe had no answer: worth telling at once, unlike a short break. */
  dead(): boolean;
  /** Checks an open line that owes an answer. */
  probe(): void;
  /** Why the server wants no more of this page; undefined while it does. */
  endReason(): CloseReason | undefined;
  send(frame: Up): void;
  /** The gateway wants to know how long a message was kept: see `held` in Send. */
  traced(): boolean | undefined;
  onFrame(listener: (frame: Down) => void): () => void;
  onStatus(listener: () => void): () => void;
  stop(): void;
};

/** One socket, for ever: opened, greeted, kept alive, and opened again when it is lost. */
export function startLive(parts: LiveParts): Live {
  const { clock } = parts;
  const frames = createEmitter<[frame: Down]>();
  const statusChanges = createEmitter();
  let status: LiveStatus = 'waiting';
  let endReason: CloseReason | undefined;
  let traced: boolean | undefined;
  let dead = false;
  /** How long hello took to be answered, once it was. */
  let roundTrip: number | undefined;
  let failures = 0;
  let wantsFreshToken = false;
  /** Each attempt has its own; what an abandoned one still says is not heard. */
  let attempt = 0;
  let socket: Socket | undefined;
  let retryTimer: unknown;
  let deadline: unknown;
  let pingTimer: unknown;
  let healthyTimer: unknown;
  let renewTimer: unknown;

  function setStatus(next: LiveStatus, isDead = dead): void {
    if (status === next && dead === isDead) return;
    status = next;
    dead = isDead;
    statusChanges.emit();
  }

  async function connect(): Promise<void> {
    clock.clearTimeout(retryTimer);
    attempt += 1;
    const mine = attempt;
    setStatus('connecting');
    // Also over the token: a call that never answers must not end the retrying.
    deadline = clock.setTimeout(() => lost(mine), ANSWER_WITHIN_MS);
    try {
      const token = await parts.token(wantsFreshToken);
      if (mine !== attempt) return;
      wantsFreshToken = false;
      open(mine, token);
    } catch {
      lost(mine);
    }
  }

  function open(mine: number, token: IdToken): void {
    const opened = parts.openSocket();
    let asked = 0;
    socket = opened;
    opened.addEventListener('open', () => {
      if (mine === attempt) {
        asked = clock.now();
        opened.send(
          frameOf({
            type: 'hello',
            version: PROTOCOL_VERSION,
            token: token.idToken,
            ...(parts.manages && { manages: true }),
          }),
        );
      }
    });
    opened.addEventListener('message', (event) => {
      if (mine === attempt) heard(mine, event.data, token.expiresAt, asked);
    });
    opened.addEventListener('close', ({ code, reason }) => {
      if (mine !== attempt) return;
      if (code === CLOSE_FINAL) return end(reason);
      wantsFreshToken = code === CLOSE_UNAUTHENTICATED;
      // Sent away politely: another gateway is there. An upgrade that moves a page again and again is no failure.
      if (code === CLOSE_RESTART && status === 'open') failures = 0;
      lost(mine);
    });
    opened.addEventListener('error', () => {});
  }

  function heard(mine: number, data: unknown, tokenEnds: number, asked: number): void {
    if (status === 'open') {
      clock.clearTimeout(deadline);
      setStatus('open', false);
    }
    const parsed = v.safeParse(parts.frames, readJson(data));
    // A newer server may say things this page does not know. Without a welcome the deadline stands.
    if (!parsed.success) return;
    const frame = parsed.output;
    if (frame.type === 'welcome') {
      clock.clearTimeout(deadline);
      roundTrip = clock.now() - asked;
      traced = frame.traced;
      pingLater();
      healthyTimer = clock.setTimeout(() => {
        failures = 0;
      }, HEALTHY_AFTER_MS);
      // By the server's clock: the person's own may be hours off.
      renewAt(mine, tokenEnds - frame.serverTime);
      setStatus('open', false);
    }
    frames.emit(frame);
  }

  function ping(within: number): void {
    if (status !== 'open') return;
    clock.clearTimeout(pingTimer);
    clock.clearTimeout(deadline);
    const mine = attempt;
    socket?.send(frameOf({ type: 'ping' }));
    deadline = clock.setTimeout(() => lost(mine, true), within);
    pingLater();
  }

  function pingLater(): void {
    const due = clock.now() + PING_EVERY_MS;
    pingTimer = clock.setTimeout(() => {
      if (clock.now() - due > SLEPT_MS) probe();
      else ping(ANSWER_WITHIN_MS);
    }, PING_EVERY_MS);
  }

  function probe(): void {
    ping(Math.max(PROBE_WITHIN_MS, 2 * (roundTrip ?? 0)));
  }

  function renewAt(mine: number, lifeLeft: number): void {
    const early = Math.max(lifeLeft - RENEW_BEFORE_END_MS, lifeLeft / 2, 1_000);
    renewTimer = clock.setTimeout(() => void renew(mine, lifeLeft - early), early);
  }

  async function renew(mine: number, lifeLeft: number): Promise<void> {
    const asked = clock.now();
    const renewed = await parts.token(true).catch(() => undefined);
    if (mine !== attempt || status !== 'open') return;
    if (!renewed) return renewAt(mine, lifeLeft);
    socket?.send(frameOf({ type: 'renew', token: renewed.idToken }));
    renewAt(mine, Math.max(renewed.expiresAt - asked, RENEW_BEFORE_END_MS));
  }

  /** The line is gone, or as good as gone: leave it behind and come back later. */
  function lost(mine: number, isDead = dead): void {
    if (mine !== attempt || status === 'ended') return;
    leave();
    failures += 1;
    retryTimer = clock.setTimeout(() => void connect(), backOffDelay(failures, parts.random));
    setStatus('waiting', isDead);
  }

  function end(reason: string): void {
    leave();
    endReason = v.is(CloseReason, reason) ? reason : 'signed_out';
    setStatus('ended');
  }

  function leave(): void {
    attempt += 1;
    for (const timer of [retryTimer, deadline, pingTimer, healthyTimer, renewTimer])
      clock.clearTimeout(timer);
    socket?.close();
    socket = undefined;
  }

  function wake(): void {
    if (status === 'waiting') void connect();
    else if (status === 'connecting') hurry();
    else probe();
  }

  /** An attempt that began before the network was back may hang. Only for a line whose speed is known. */
  function hurry(): void {
    if (roundTrip === undefined) return;
    const mine = attempt;
    failures = 0;
    clock.clearTimeout(deadline);
    deadline = clock.setTimeout(() => lost(mine), Math.max(PROBE_WITHIN_MS, 2 * roundTrip));
  }

  function offline(): void {
    if (status === 'ended') return;
    setStatus(status, true);
    probe();
  }

  const undoubt = parts.onDoubt?.({ wake, offline });
  void connect();

  return {
    status: () => status,
    dead: () => dead,
    probe,
    endReason: () => endReason,
    traced: () => traced,
    send(frame) {
      if (status === 'open') socket?.send(frameOf(frame));
    },
    onFrame: frames.subscribe,
    onStatus: statusChanges.subscribe,
    stop() {
      leave();
      undoubt?.();
      setStatus('ended');
    },
  };
}

function frameOf(frame: Up): string {
  return JSON.stringify(frame);
}

function readJson(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
