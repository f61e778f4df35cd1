import type { Database } from '../db/engine/database.ts';
import { endGateway, takeGatewayPlace } from '../db/engine/gateways.ts';
import type { Clock } from '../ports.ts';

const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;

export class PlaceTaken extends Error {
  constructor() {
    super(
      'Another gateway works on this database. A gateway without a bus must be alone: set NATS_URL for all of them, or stop the other one (a crashed one is forgotten after 15 seconds).',
    );
    this.name = 'PlaceTaken';
  }
}

export type Lease = {
  /** False once another took the place, or when this one could not be renewed in time. */
  isHeld(): boolean;
  end(): Promise<void>;
};

/** Without a bus, two gateways would not hear each other: this keeps the second from starting. */
export async function holdLease(
  db: Database,
  options: { gatewayId: string; alone: boolean; clock: Clock; onLost: () => void },
): Promise<Lease> {
  const { gatewayId, alone, clock, onLost } = options;
  let heldUntil = 0;
  const take = async (): Promise<boolean> => {
    const asked = clock.now();
    const mine = await takeGatewayPlace(db, { gatewayId, alone, seconds: LEASE_SECONDS });
    heldUntil = mine ? asked + LEASE_SECONDS * 1_000 : 0;
    return mine;
  };
  if (!(await take())) throw new PlaceTaken();
  let ended = false;
  const renew = (): void => {
    if (ended) return;
    take()
      .then(
        (mine) => {
          if (!mine && !ended) onLost();
        },
        // PostgreSQL is away: nobody else can take the place meanwhile either.
        () => {},
      )
      .finally(() => clock.after(RENEW_MS, renew));
  };
  clock.after(RENEW_MS, renew);
  return {
    isHeld: () => clock.now() < heldUntil,
    async end() {
      ended = true;
      await endGateway(db, gatewayId).catch(() => {});
    },
  };
}
