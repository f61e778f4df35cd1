import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHENTICATED,
  CloseReason,
  type Down,
  TOO_MANY_FRAMES,
  WAIT_MAX_MS,
  waitIn,
} from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import * as v from 'valibot';
import { createEmitter } from '../browser/createStore.ts';
import { ANSWERED_CAP_MS, backOffDelay } from './backOff.ts';
import type { Clock } from './clock.ts';
import { TokenFailure } from './tokenFailure.ts';

const PING_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;
/** Timeout of a probe. A slow connection gets twice its usual time. */
const PROBE_WITHIN_MS = 2_500;
/** A timer this late means that the machine was asleep. */
const SLEPT_MS = 5_000;
const HEALTHY_AFTER_MS = 10_000;
const RENEW_BEFORE_END_MS = 5 * 60_000;

/** The part of WebSocket that is used. `ws` and Node support it too. */
export type Socket = {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
};

export type IdToken = { idToken: string; expiresAt: number };

export type LiveParts = {
  /** The schema of incoming frames, for visitors or staff. */
  frames: v.GenericSchema<unknown, Down>;
  openSocket: () => Socket;
  clock: Clock;
  random: () => number;
  /** Returns an ID token. `fresh` after the server refused the last one. A rejection counts as a failed attempt. */
  token: (fresh: boolean) => Promise<IdToken>;
  /** Set for the admin area. See Hello. */
  manages?: boolean;
  /** The token of the link, if the gateway needs it to know the profile. */
  invite?: (() => string | undefined) | undefined;
  /**
   * Reports when to check the connection: `wake` when the network or page returns, `offline` when the network is lost.
   */
  onDoubt?: (doubt: { wake: () => void; offline: () => void }) => () => void;
};

export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'ended';

export type Live = {
  status(): LiveStatus;
  /** The network is lost or a probe failed. Show it at once. */
  dead(): boolean;
  /** Checks an open connection with a pending answer. */
  probe(): void;
  /** Why the server closed the connection for good. Undefined otherwise. */
  endReason(): CloseReason | undefined;
  send(frame: Up): void;
  /** The gateway traces messages. See `held` in Send. */
  traced(): boolean | undefined;
  onFrame(listener: (frame: Down) => void): () => void;
  onStatus(listener: () => void): () => void;
  stop(): void;
};

/** Keeps one socket connected: hello, pings, and reconnects with backoff. */
export function startLive(parts: LiveParts): Live {
  const { clock } = parts;
  const frames = createEmitter<[frame: Down]>();
  const statusChanges = createEmitter();
  let status: LiveStatus = 'waiting';
  let endReason: CloseReason | undefined;
  let traced: boolean | undefined;
  let dead = false;
  /** Round trip time of hello. */
  let roundTrip: number | undefined;
  let failures = 0;
  let wantsFreshToken = false;
  /** Number of the current attempt. Events of older attempts are ignored. */
  let attempt = 0;
  let socket: Socket | undefined;
  let retryTimer: unknown;
  let deadline: unknown;
  /** When the deadline of an unanswered ping ends. */
  let answerDue = Number.POSITIVE_INFINITY;
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
    // Includes the token, because a call that never answers must not stop retries.
    deadline = clock.setTimeout(() => lost(mine), ANSWER_WITHIN_MS);
    try {
      const token = await parts.token(wantsFreshToken);
      if (mine !== attempt) return;
      wantsFreshToken = false;
      open(mine, token);
    } catch (error) {
      const { status, waitMs } = error instanceof TokenFailure ? error : { status: 0, waitMs: 0 };
      lost(mine, dead, Math.min(waitMs, WAIT_MAX_MS), status >= 500 ? ANSWERED_CAP_MS : undefined);
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
            invite: parts.invite?.(),
          }),
        );
      }
    });
    opened.addEventListener('message', (event) => {
      if (mine === attempt) onMessage(mine, event.data, token.expiresAt, asked);
    });
    opened.addEventListener('close', ({ code, reason }) => {
      if (mine !== attempt) return;
      if (code === CLOSE_FINAL) return end(reason);
      wantsFreshToken = code === CLOSE_UNAUTHENTICATED;
      // The gateway restarts and another one is available. This is not a failure.
      if (code === CLOSE_RESTART && status === 'open') failures = 0;
      const cannotServe = code === CLOSE_TRY_LATER && !reason.startsWith(TOO_MANY_FRAMES);
      lost(mine, dead, waitIn(reason), cannotServe ? ANSWERED_CAP_MS : undefined);
    });
    opened.addEventListener('error', () => {});
  }

  function onMessage(mine: number, data: unknown, tokenEnds: number, asked: number): void {
    if (status === 'open') {
      clock.clearTimeout(deadline);
      answerDue = Number.POSITIVE_INFINITY;
      setStatus('open', false);
    }
    const parsed = v.safeParse(parts.frames, readJson(data));
    // Ignore unknown frames of a newer server. Without a welcome, the deadline applies.
    if (!parsed.success) return;
    const frame = parsed.output;
    if (frame.type === 'welcome') {
      clock.clearTimeout(deadline);
      answerDue = Number.POSITIVE_INFINITY;
      roundTrip = clock.now() - asked;
      traced = frame.traced;
      pingLater();
      healthyTimer = clock.setTimeout(() => {
        failures = 0;
      }, HEALTHY_AFTER_MS);
      // Use the server's clock, because the local one may be wrong.
      renewAt(mine, tokenEnds - frame.serverTime);
      setStatus('open', false);
    }
    frames.emit(frame);
  }

  function ping(within: number): void {
    if (status !== 'open') return;
    clock.clearTimeout(pingTimer);
    socket?.send(frameOf({ type: 'ping' }));
    pingLater();
    const due = clock.now() + within;
    // Otherwise repeated checks would keep a dead connection.
    if (due >= answerDue) return;
    answerDue = due;
    clock.clearTimeout(deadline);
    const mine = attempt;
    deadline = clock.setTimeout(() => lost(mine, true), within);
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

  /** The connection is lost. Drop it and retry later, and not before the server allowed it. */
  function lost(mine: number, isDead = dead, waitMs = 0, capMs?: number): void {
    if (mine !== attempt || status === 'ended') return;
    leave();
    failures += 1;
    retryTimer = clock.setTimeout(() => void connect(), waitMs + backOffDelay(failures, parts.random, capMs));
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

  /** An attempt from before the network returned may hang. Only if the speed is known. */
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
