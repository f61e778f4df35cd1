import type { Socket } from 'node:net';
import pg from 'pg';

/** From version 14, PostgreSQL tells every client whether it is a standby, and when that changes. */
const IS_STANDBY = 'in_hot_standby';
/** The code of the error. */
export const STANDBY = 'STANDBY';

type Status = { parameterName: string; parameterValue: string };
type Callback = (error: Error | undefined) => void;
/** Parts of pg.Client that its types do not list. */
type Inside = {
  connection: NodeJS.EventEmitter & { stream: Socket };
  connectionParameters: { options?: string | undefined };
};

/**
 * Everything that we acknowledge is on the disk, whatever is set for the server, the role or the database. The last
 * option counts, also after those of the connection's URL.
 */
const WAIT_FOR_DISK = '-c synchronous_commit=on';

class ServerIsStandby extends Error {
  readonly code = STANDBY;

  constructor() {
    super('this PostgreSQL is a standby');
    this.name = 'ServerIsStandby';
  }
}

/**
 * Waits for the disk at every commit, and refuses to connect to a standby. After a failover, an old primary may return as
 * one before the load balancer notices. It may show commits that only it had, and which the new primary never gets.
 */
export class PrimaryClient extends pg.Client {
  #isStandby = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connectionParameters } = this.#inside();
    connectionParameters.options = [connectionParameters.options, WAIT_FOR_DISK].filter(Boolean).join(' ');
    this.#inside().connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => {
      if (parameterName === IS_STANDBY) this.#isStandby = parameterValue === 'on';
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    if (callback === undefined) return this.#connectToPrimary();
    // The pool passes a callback, and does not end a client that did not connect.
    super.connect((error: Error | undefined) => {
      if (error || !this.#isStandby) return callback(error);
      return callback(this.#refuse());
    });
    return undefined;
  }

  async #connectToPrimary(): Promise<pg.Client> {
    const client = await super.connect();
    if (!this.#isStandby) return client;
    throw this.#refuse();
  }

  /** Does not wait for an answer: the server may be unreachable again. */
  #refuse(): ServerIsStandby {
    void this.end();
    this.#inside().connection.stream.destroy();
    return new ServerIsStandby();
  }

  #inside(): Inside {
    return this as unknown as Inside;
  }
}
