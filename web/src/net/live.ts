import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_UNAUTHENTICATED,
  CloseReason,
  type Down,
} from '@settee/protocol/down';
import type { Up } from '@settee/protocol/up';
import { PROTOCOL_VERSION } from '@settee/protocol/version';
import * as v from 'valibot';
import { backOffDelay } from './backOff.ts';
import type { Clock } from './clock.ts';

const PING_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;
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
  /** Tells of moments when a try is worth it at once: back online, page visible again. */
  onWake?: (wake: () => void) => () => void;
};

export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'ended';

export type Live = {
  status(): LiveStatus;
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
  const frameListeners = new Set<(frame: Down) => void>();
  const statusListeners = new Set<() => void>();
  let status: LiveStatus = 'waiting';
  let endReason: CloseReason | undefined;
  let traced: boolean | undefined;
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

  function setStatus(next: LiveStatus): void {
    if (status === next) return;
    status = next;
    for (const listener of [...statusListeners]) listener();
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
    socket = opened;
    opened.addEventListener('open', () => {
      if (mine === attempt) {
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
      if (mine === attempt) heard(mine, event.data, token.expiresAt);
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

  function heard(mine: number, data: unknown, tokenEnds: number): void {
    clock.clearTimeout(deadline);
    const parsed = v.safeParse(parts.frames, readJson(data));
    // A newer server may say things this page does not know.
    if (!parsed.success) return;
    const frame = parsed.output;
    if (frame.type === 'welcome') {
      traced = frame.traced;
      pingTimer = clock.setTimeout(ping, PING_EVERY_MS);
      healthyTimer = clock.setTimeout(() => {
        failures = 0;
      }, HEALTHY_AFTER_MS);
      // By the server's clock: the person's own may be hours off.
      renewAt(mine, tokenEnds - frame.serverTime);
      setStatus('open');
    }
    for (const listener of [...frameListeners]) listener(frame);
  }

  function ping(): void {
    if (status !== 'open') return;
    clock.clearTimeout(pingTimer);
    clock.clearTimeout(deadline);
    const mine = attempt;
    socket?.send(frameOf({ type: 'ping' }));
    deadline = clock.setTimeout(() => lost(mine), ANSWER_WITHIN_MS);
    pingTimer = clock.setTimeout(ping, PING_EVERY_MS);
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
  function lost(mine: number): void {
    if (mine !== attempt || status === 'ended') return;
    leave();
    failures += 1;
    retryTimer = clock.setTimeout(() => void connect(), backOffDelay(failures, parts.random));
    setStatus('waiting');
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
    else ping();
  }

  const unwake = parts.onWake?.(wake);
  void connect();

  return {
    status: () => status,
    endReason: () => endReason,
    traced: () => traced,
    send(frame) {
      if (status === 'open') socket?.send(frameOf(frame));
    },
    onFrame(listener) {
      frameListeners.add(listener);
      return () => frameListeners.delete(listener);
    },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    stop() {
      leave();
      unwake?.();
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
