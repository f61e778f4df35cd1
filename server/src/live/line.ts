import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { ClosedReason } from '../metrics/metrics.ts';
import type { Connection } from './connection.ts';
import { type Said, wordFor } from './ending.ts';

/**
 * A socket that carries its own state, so that its listeners can be shared functions: a handful of
 * closures on each would double what an idle socket costs.
 */
export class Line extends WebSocket {
  /** What lies under the frames; known as soon as the upgrade is done. */
  stream!: Socket;
  /** Once the hello was accepted. */
  connection: Connection | undefined;
  /** Until the hello: when it is too late for one. */
  deadline: NodeJS.Timeout | undefined;
  /** Frames that came while an earlier one is being done. */
  waiting: string[] | undefined;
  /** What had been read at the last ping: a line on which nothing came since is dead. */
  readAtPing = 0;
  /** Why we ended it, if we did. */
  ending: ClosedReason | undefined;

  isOpen(): boolean {
    return this.readyState === WebSocket.OPEN;
  }

  /** Not close itself: ws calls that too, with what the other side said. */
  endWith(code: number, said: Said): void {
    this.ending ??= wordFor(said);
    this.close(code, said);
  }

  /** Without a word: there is nobody who would hear it. */
  cut(why: ClosedReason): void {
    this.ending ??= why;
    this.terminate();
  }
}
