import type { Clock } from '../ports/ports.ts';
import type { Database } from './database.ts';
import { acquireGatewayLease, releaseGatewayLease } from './gateways.ts';

const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;

export class LeaseTaken extends Error {
  constructor() {
    super(
      'Another gateway uses this database. Only one gateway can run without NATS: set NATS_URL for all of them, or stop the other one (the lease of a crashed gateway ends after 15 seconds).',
    );
    this.name = 'LeaseTaken';
  }
}

export type Lease = {
  /** False after another gateway took the lease, or when it was not renewed in time. */
  isHeld(): boolean;
  end(): Promise<void>;
};

/** Prevents a second gateway from starting without a bus, because the two would miss each other's changes. */
export async function holdLease(
  db: Database,
  options: { gatewayId: string; alone: boolean; clock: Clock; onLost: () => void },
): Promise<Lease> {
  const { gatewayId, alone, clock, onLost } = options;
  let heldUntil = 0;
  const take = async (): Promise<boolean> => {
    const asked = clock.now();
    const isHeld = await acquireGatewayLease(db, { gatewayId, alone, seconds: LEASE_SECONDS });
    heldUntil = isHeld ? asked + LEASE_SECONDS * 1_000 : 0;
    return isHeld;
  };
  if (!(await take())) throw new LeaseTaken();
  let ended = false;
  const renew = (): void => {
    if (ended) return;
    take()
      .then(
        (isHeld) => {
          if (!isHeld && !ended) onLost();
        },
        // Without PostgreSQL no other gateway can take the lease either.
        () => {},
      )
      .finally(() => clock.after(RENEW_MS, renew));
  };
  clock.after(RENEW_MS, renew);
  return {
    isHeld: () => clock.now() < heldUntil,
    async end() {
      ended = true;
      await releaseGatewayLease(db, gatewayId).catch(() => {});
    },
  };
}
