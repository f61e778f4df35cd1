import pg from 'pg';

/** PostgreSQL 14 and later tell every client whether they are a standby, also when that changes. */
const IS_STANDBY = 'in_hot_standby';

type Status = { parameterName: string; parameterValue: string };
type Callback = (error: Error | undefined) => void;

class ServerIsStandby extends Error {
  constructor() {
    super('this PostgreSQL is a standby');
    this.name = 'ServerIsStandby';
  }
}

/**
 * Refuses to connect to a standby. After a failover, an old primary may return as one before the load balancer notices.
 * It may show commits that only it had, and which the new primary never gets.
 */
export class PrimaryClient extends pg.Client {
  #isStandby = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => {
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
      void this.end();
      return callback(new ServerIsStandby());
    });
    return undefined;
  }

  async #connectToPrimary(): Promise<pg.Client> {
    const client = await super.connect();
    if (!this.#isStandby) return client;
    await this.end();
    throw new ServerIsStandby();
  }
}
